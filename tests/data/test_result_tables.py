"""The registry of tables of results, and what is made from it."""

from seggrid.data.result_tables import PARTS, TABLES, made_by
from seggrid.report.page import SECTIONS


def test_each_table_is_shown_in_a_section_of_the_page_and_once():
    sections = {section.id for section in SECTIONS}
    assert {table.section for table in TABLES} - {""} <= sections
    shown = [one for table in TABLES for one in table.shown]
    assert {one.section for one in shown if one.title} <= sections
    assert len({one.name for one in shown}) == len(shown)
    # Tests of scores stand in the table of best cells.
    papers = {one.of for one in shown if one.paper}
    assert {table.name for table in TABLES if table.latex} == papers | {"significance"}


def test_each_table_has_distinct_columns_and_a_known_part():
    for table in TABLES:
        names = table.column_names()
        assert len(set(names)) == len(names), table.name
        assert table.part in PARTS
        assert set(table.key) <= set(names)
        assert table.key


def test_a_config_makes_the_tables_of_its_parts():
    made = {table.name for table in made_by(["experiments", "ensemble"])}
    assert {"scores", "ensembles", "votes"} <= made
    assert not made & {"morphology", "lexical", "language_model"}
