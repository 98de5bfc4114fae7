"""The registry of tables of results, and what is made from it."""

from seggrid.grid.report.page import sections
from seggrid.grid.study import every_table


def test_each_table_is_shown_in_a_section_of_the_page_and_once():
    known = {section.id for section in sections()}
    assert {table.section for table in every_table()} - {""} <= known
    shown = [one for table in every_table() for one in table.shown]
    assert {one.section for one in shown if one.title} <= known
    assert len({one.name for one in shown}) == len(shown)
    # Tests of scores stand in the table of best cells.
    papers = {one.of for one in shown if one.paper}
    assert {table.name for table in every_table() if table.latex} == papers | {"significance"}


def test_each_table_has_distinct_columns():
    for table in every_table():
        names = table.column_names()
        assert len(set(names)) == len(names), table.name
        assert set(table.key) <= set(names)
        assert table.key
