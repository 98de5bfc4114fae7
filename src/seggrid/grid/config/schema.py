"""The config's JSON schema, by which editors check configs."""

from __future__ import annotations

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from seggrid.base.settings import field_docstrings
from seggrid.grid.config import config_model


class _Plain(GenerateJsonSchema):
    """JSON schema with the docstrings of keys, without titles of keys, and without `null`: optional keys are
    left out, not set to null."""

    def nullable_schema(self, schema: Any) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        found = super().default_schema(schema)
        return {key: value for key, value in found.items() if (key, value) != ("default", None)}

    def model_schema(self, schema: Any) -> JsonSchemaValue:
        found = super().model_schema(schema)
        for name, text in field_docstrings(schema["cls"]).items():
            if name in found.get("properties", ()):
                found["properties"][name]["description"] = text
        return found

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def json_schema() -> dict[str, Any]:
    """The config's JSON schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **config_model().model_json_schema(schema_generator=_Plain),
        "title": "Config of seggrid",
    }


def schema_text() -> str:
    """The content of the file that editors read."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
