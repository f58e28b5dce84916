"""Rules as text and as files: both ways, and refused in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    OPTIONS,
    PRESETS,
    BadText,
    BadValue,
    Kind,
    Position,
    Rules,
    RulesError,
    UnknownName,
    format_rules,
    format_rules_file,
    parse_rules,
    parse_rules_file,
)
from rules.options import FAMILIES


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), unique=True))
    values = {}
    for name in names:
        option = OPTIONS[name]
        answers = [st.sampled_from(option.values)]
        if option.numbers:
            answers.append(st.sampled_from(option.numbers).map(str))
        if option.squares:
            answers.append(st.sampled_from(["a1", "e5", "j10"]))
        values[name] = draw(st.one_of(answers))
    try:
        return parse_rules(draw(st.sampled_from(sorted(PRESETS)))).changed(values)
    except BadValue:
        return parse_rules("appendix")


@given(any_rules())
def test_texts_and_files_are_read_back(rules: Rules) -> None:
    text, file = format_rules(rules), format_rules_file(rules)
    assert parse_rules(text) == rules
    assert parse_rules_file(file) == rules
    assert parse_rules(text).base == parse_rules_file(file).base == rules.base


def test_a_preset_is_written_by_its_name() -> None:
    for name in PRESETS:
        assert format_rules(parse_rules(name)) == name
        assert format_rules(parse_rules(f"{name}+juggernaut")) == f"{name}+juggernaut"


def test_rules_that_play_alike_are_equal_whatever_they_were_told_by() -> None:
    rules = parse_rules("appendix,thoat=jumps")
    assert rules == parse_rules("after-ekman-jumping")
    assert hash(rules) == hash(parse_rules("after-ekman-jumping"))
    assert format_rules(rules) == "appendix,thoat=jumps"
    assert rules != parse_rules("appendix")


def test_the_first_value_of_every_option_is_the_appendix() -> None:
    appendix = parse_rules("appendix")
    assert appendix.values == tuple(option.values[0] for option in OPTIONS.values())


def test_a_stride_for_all_and_one_for_a_kind() -> None:
    rules = parse_rules("wikipedia-free,stride.thoat=exact")
    assert rules["stride.dwar"] == "up-to"
    assert rules["stride.thoat"] == "exact"
    assert parse_rules("appendix,stride.thoat=exact,stride=up-to") == parse_rules(
        "appendix,stride=up-to,stride.thoat=exact"
    )
    file = 'base = "appendix"\nstride = { all = "up-to", thoat = "exact" }\ncaptureless = 50\n'
    assert parse_rules_file(file) == parse_rules(
        "appendix,stride=up-to,stride.thoat=exact,captureless=50"
    )
    assert format_rules(parse_rules("appendix,stride=up-to")) == "appendix,stride=up-to"


def test_a_file_may_change_any_option_of_any_preset() -> None:
    file = 'base = "cazaux+juggernaut"\nthoat = "walks"\nvalue = { thoat = 2 }\n'
    rules = parse_rules_file(file)
    assert rules["juggernaut"] == "random-empty"
    assert rules["thoat"] == "walks"
    assert rules.worth(Kind.THOAT) == 2
    assert rules.worth(Kind.CHIEF) == 10
    assert parse_rules_file("") == parse_rules("appendix")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("apendix", UnknownName, "apendix: no such preset, did you mean appendix?"),
        ("appendix,toat=jumps", UnknownName, "toat: no such option, did you mean thoat?"),
        ("appendix,stride.panthan=exact", UnknownName, "stride.panthan: no such option, did you"),
        (
            "appendix,thoat=jump",
            BadValue,
            "thoat = jump: must be walks, jumps, straight-first, did you mean jumps?",
        ),
        ("appendix,captureless=0", BadValue, "captureless = 0: must be off, 1..999"),
        ("appendix,value.thoat=x", BadValue, "value.thoat = x: must be 0..999"),
        ("appendix,juggernaut=k9", BadValue, "juggernaut = k9: must be off, random-empty, ran"),
        ("thoat=jumps", BadText, "rules begin with a preset"),
        ("", BadText, "rules begin with a preset"),
        ("appendix,thoat", BadText, "'thoat' in rules 'appendix,thoat': write OPTION=VALUE"),
        ("appendix,thoat=walks,thoat=jumps", BadValue, "thoat is told twice"),
        ("appendix+juggernaut,juggernaut=off", BadValue, "juggernaut is told twice"),
        (
            "friedlander,no-move=draw",
            BadValue,
            "ending=checkmate, no-move=draw contradict each other: who is mated cannot move",
        ),
        ("manator-arena,chief-taken-by-other=forbidden", BadValue, "a Chief who loses a"),
        ("manator-arena,princess-takes=yes", BadValue, "the Princess never fights"),
    ],
)
def test_what_is_refused_is_named_with_its_mend(
    text: str, error: type[RulesError], words: str
) -> None:
    with pytest.raises(error) as refused:
        parse_rules(text)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("captureless = 0x" + "f" * 5000, "captureless must be a word in quotes or a number"),
        ("stride = { thoat = 0x" + "f" * 5000 + " }", "stride.thoat must be a word"),
        ("thoat = " + "[" * 5000, "rules file: maximum recursion"),
        ("thoat = " + "9" * 5000, "rules file: Exceeds the limit"),
        ("thoat = ", "rules file: Invalid value"),
        ("base = 3", "base must be the name of a preset"),
        ("thoat = true", "thoat must be a word in quotes or a number"),
        ("thoat = ['jumps']", "thoat must be a word in quotes or a number"),
        ("thoat = 7", "thoat = 7: must be walks"),
        ('stride = { thaot = "exact" }', "stride.thaot: no such option, did you mean stride.thoat"),
    ],
)
def test_a_bad_file_is_refused_in_words(file: str, words: str) -> None:
    with pytest.raises(RulesError) as refused:
        parse_rules_file(file)
    assert words in str(refused.value)


def test_families_are_made_of_options() -> None:
    assert {name for family in FAMILIES.values() for name in family} <= set(OPTIONS)


def test_a_position_names_its_rules_as_they_were_told() -> None:
    for text in ("after-ekman-jumping", "appendix,thoat=jumps"):
        assert format_rules(Position.start(parse_rules(text)).rules) == text
