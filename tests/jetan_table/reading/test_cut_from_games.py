"""Moments of games simulated from physics, cut out of them: what is read where much is possible."""

from tests.jetan_table.reading.hand import table


def test_what_fits_is_found_however_much_else_is_tried_before() -> None:
    """A piece was swept from g7 with no gap; then others were adjusted, and what took is taken."""
    hand = table(
        "wadf2fdaw/tpp2ppp1t/6cp2/2p3p3/9q/2QA6/4C5/1T1P1PPP2/1PP3PP1T/W1DF2FDAW o - - 27 14"
    )
    lines = hand.hands(
        "1.295-g8 4.909-d5 4.930+e5 4.979-e5 5.054+g4 5.081-g4 5.092+h4 5.129-h4 5.135+i4 5.167-i4"
        " 5.172+j4 5.205-j4 5.539+d5 8.416-e4 8.487+f5 8.627-f5 8.638+f6 8.740-f6 22.902-h9"
        " 23.112+h9 23.435-h8 23.613+h8 26.843-c2 27.593-d5 34.025+c2"
    )
    assert lines == ["1 g8-d5", "2? d5 c7 g7", "3 d5-c2"]


def test_what_was_swept_away_is_asked_about_soon() -> None:
    """It passed over c3, and is on no square any more: nobody thinks with a piece on the board."""
    hand = table(
        "wa1f3da1/tp3pppp1/3p5w/2C1p5/7t2/10/1q2P5/DA1QcD2PT/1P2P1P1P1/W2F2F1AW o B - 0 28"
    )
    assert hand.hands("1.931-e3 2.258+c3 2.484-c3", until=5.0) == ["1? d1 g1 b2 e2 g2 b3 d3 f3 e4"]


def test_who_adjusts_a_piece_has_no_other_in_the_hand() -> None:
    """What it takes is put down beside its square, where the piece itself could have gone too."""
    hand = table("1a6aw/d1t2C3t/Q5pppq/10/10/c9/F9/1PP4P2/TP4P2T/WAD3AD1W o BO - 0 26")
    assert hand.hands("1.562-a2 1.569-a5 1.633+a3 1.678+a2", until=4.0) == ["1 a5-a2"]


def test_of_a_capture_no_empty_square_is_asked_about() -> None:
    """A piece tapped two squares on its way to the one that was emptied for it."""
    hand = table("wCdfq1fdaw/1p2pp1p2/9p/7pt1/4p5/5c4/10/5QP2F/TPPP2PPPT/WAD3FDAW b BO - 5 15")
    lines = hand.hands("1.479-b9 1.697-b10 1.879+c9 2.174-c9 2.377+b8 2.847-b8 3.016+b9", until=6.0)
    assert lines == ["1 b10-b9"]


def test_nothing_lies_beside_its_square_before_it_has_left_it() -> None:
    """A piece that missed its square is put right; the next takes close by."""
    hand = table("wad4daw/tp1ppC1fpt/3pp5/4f5/3q6/10/1T8/2P2QPP2/1P1c3P1T/WADF2FDAW b B - 1 18")
    lines = hand.hands(
        "1.290-b2 1.353+a4 2.250-a4 2.299+a3 2.849-b4 2.873+b3 2.982-d2 3.105+b4 3.468-e8 3.694-f9"
        " 3.798-d8 3.895+e8 3.962+c8"
    )
    assert lines == ["1 b2-a3", "2 d2-b4", "3 f9-e8", "4 d8-c8"]


def test_a_piece_comes_down_on_a_switch_that_holds_what_was_taken() -> None:
    """What stood on b4 lies beside it on b3 when a piece comes to b3; no switch is to blame."""
    hand = table("wad4daw/tp1ppC1fpt/3pp5/4f5/3q6/10/1T8/P1P2QPP2/3c3P1T/WADF2FDAW o B - 2 18")
    lines = hand.hands(
        "1.349-b4 1.373+b3 1.482-d2 1.605+b4 1.968-e8 2.194-f9 2.298-d8 2.395+e8 2.462+c8 4.492-g1"
        " 4.664+j4 4.967-h9 5.114+e10 5.139-b1 5.158+b2 5.182-b2 6.496-b4 6.684-d1 6.813+g2"
        " 6.904+b2 6.916-b2 6.922+b1 6.934-b1",
        until=60.0,
    )
    before = ["1 d2-b4", "2 f9-e8", "3 d8-c8", "4 g1-j4", "5 h9-e10", "6 b1-b3"]
    assert lines == [*before, "7? a3 b3 c3", "8 d1-g2"]


def test_nobody_takes_a_piece_that_was_never_put_down() -> None:
    """It slid over d5, came down on b5, and was put right to c4; another came to d5 meanwhile."""
    hand = table("w1df3dCw/10/2pa5q/10/10/4c5/FT8/4QP3W/1PPP1P1P2/WAD3FDA1 o O - 2 28")
    lines = hand.hands(
        "1.255-e5 1.275+d5 1.288-d5 1.309+c5 1.315-c5 1.335+b5 2.033-b5 2.194+c4 2.227-a4 2.389+d5",
        until=5.0,
    )
    assert lines == ["1 e5-b5", "back 1", "1 e5-c4", "2 a4-d5"]


def test_what_was_cleared_away_is_not_one_piece_too_many() -> None:
    """What c7 had lost lies on b7, until it is cleared away plies later."""
    hand = table("w5cdaw/f2pp4t/1dp2p1pp1/2t7/2P4p2/5q4/1T4Q3/1P5TP1/P1F1PPPP2/WAD4CAW b BO - 4 26")
    lines = hand.hands(
        "1.442-c6 1.478-c7 1.580+b7 1.586+c7 3.834-f5 3.835+f6 3.906-f6 3.930+e5 4.019-e5 4.038+e6"
        " 5.307-c7 5.427-c8 5.558+c8 7.796-b8 8.776-b7 10.451-c8 10.709+c8 10.736-g4 10.803+d5"
        " 11.562-d5 11.592+e4 12.218-a1",
        until=14.0,
    )
    assert lines == ["1 c6-c7", "2 f5-e6", "3 c7-c8", "4 b8-c8", "5 g4-e4"]


def test_a_piece_is_not_home_again_where_another_has_come() -> None:
    """Others are touched after a capture, and one comes to where the piece that took had stood."""
    hand = table("wad3fdaw/t1pppp1pp1/p8t/6F3/2q7/10/7Q2/3cP5/1PF1PPPPPT/1AD2C1DAW b O - 0 17")
    lines = hand.hands(
        "1.364-j2 1.393+i3 1.639-i3 1.653+j3 2.942-g2 8.222-d3 8.250+e4 8.363-e4 8.398+f3 8.609-f3"
        " 8.665+g2 11.808-e2 11.977+e2 13.816-b2 14.373-i1 15.261+b2 19.194-b2 19.390+i1 20.300+b2"
        " 22.266-c1 22.266+d1 22.492+d2 22.498-d1 22.774-d2 22.789+d3 30.620-c6 30.663+d6 30.698-d6"
        " 30.726+e6 30.747-e6 30.775+f6 30.797-f6 30.924+h7",
        until=33.0,
    )
    assert lines == ["1 j2-j3", "2 d3-g2", "3 c1-d3", "4 c6-h7"]


def test_what_was_told_is_kept_before_anything_of_it_is_given_up() -> None:
    """Behind a question lie three worlds, and much was touched: a swept piece is found in time."""
    hand = table("wadfq1fdaw/1tp1p2p1t/p4p1p2/7c2/6C3/10/10/1P1QP5/TP2PPPPPT/WADF2FDAW b BO - 3 9")
    lines = hand.hands(
        "4.857-g6 5.637+f9 5.679-f9 5.684+f10 5.717-f10 14.950+d9 14.955-e9 20.093-g2 20.653+g2"
        " 22.153-f8 22.438+i9 26.633-i9 26.810+f8 28.443-f8 28.470+f7 28.503-f7 28.516+f6"
        " 28.554-f6 28.567+f5 28.590-f5 28.613+f4 29.588-f4 32.104+e5 45.803-h7 45.807+h6"
        " 45.975-h6 45.989+i6 46.222-i6 46.316+j7 48.839-e5 48.886+f6 48.961-f6 49.004+g7"
        " 49.139-g7 49.680-j7 49.885+j6 50.133+i8 50.203-i8 50.212+j8 50.231-j8 51.724-h8"
        " 51.776+i9",
        until=55.0,
    )
    asked = ["1? h7 f8 h8 e9 h9", "2 e9-d9", "3? h7 h8 c9 d9 h9 d10 e10 g10 h10", "back 3"]
    held = asked[2:]  # once more, as it is slid to f4 and lifted from there
    played = ["3 f8-e5", "4 h7-j7", "5 e5-h8", "6 j7-j6", "7 h8-i9"]
    assert lines == [*asked, *held, "1! f8", *played]


def test_a_piece_that_was_adjusted_was_not_taken_where_the_reply_says_what_was() -> None:
    """It was off its square for a tenth of a second while another was thought to be in the hand."""
    hand = table(
        "wad2c1da1/tpp1pp1pp1/4p1f2w/8t1/7q2/9p/Qf2FF4/4P1P1P1/T1PP2PP1T/WAD1C2DAW o B - 3 18"
    )
    lines = hand.hands(
        "2.013-b4 7.067-e3 7.177+e3 9.417-c1 10.334-a2 10.623+c1 12.571-h6 12.606+i6", until=16.0
    )
    assert lines == ["1 b4-e3", "back 1", "1 b4-c1", "2 a2-c1", "3 h6-i6"]


def test_a_capture_that_had_answered_is_taken_back_in_peace() -> None:
    """What it had taken is put up last: meanwhile it seems to have taken the other way round."""
    hand = table("wa3cfdaw/t1d1pppp1t/C1pp4p1/8q1/10/10/P3P5/3PQ2P2/TP1FP2PPT/WADF3DAW b BO - 5 14")
    lines = hand.hands(
        "1.829-a8 3.528+j5 3.530-c9 3.534-j5 3.536+c9 3.549-c1 3.555+c1 6.099-j9 6.268+j8"
        " 11.647-a10 11.999-b10 12.322+b10 17.048-b10 17.388+a10 18.801+b10 19.786-j8 20.179+j9",
        until=23.0,
    )
    asked = ["1? c8 d8 a9 c9 a10 b10", "2 j9-j8", "1! a10"]
    assert lines == [*asked, "3 a10-b10", "back 3", "back 2"]


def test_what_comes_beside_a_capture_may_be_the_next_move() -> None:
    """E9 was taken; the piece that came to f9 is not what had stood there: it came from g9."""
    hand = table(
        "wadf2fdaw/tpp1p1pp1t/1p7q/1c3p1C2/10/10/5P3Q/1PP4PP1/T2PP3P1/WADF2TDAW o B - 0 18"
    )
    lines = hand.hands(
        "1.051-j9 1.153+h8 1.374-e9 1.378-h7 1.548-f7 1.587+e9 1.650+g7 1.937-i2 1.957-g9 1.962+j2"
        " 1.970+f9 7.955-f9 8.082+g9 8.181-g10 8.359+f9",
        until=10.0,
    )
    before = ["1 j9-h8", "2 h7-e9", "3 f7-g7", "4 i2-j2"]
    assert lines == [*before, "5 g9-f9", "back 5", "5 g10-f9"]


def test_a_magnet_that_passes_may_open_a_switch_beside_its_way() -> None:
    """What had been taken off f8 made way; e8 only blinked as the piece was carried over it."""
    hand = table("wqd4daw/tp7t/3Ccp1p2/3f6/9p/10/10/5P1T2/TPPPP1PPP1/WADFQ1FDAW b BO - 1 17")
    assert hand.hands("2.330-f8 3.961-d8 3.978-e8 4.022+e8 4.162+f8", until=6.5) == ["1 d8-f8"]


def test_a_hand_with_another_piece_in_it_puts_nothing_back() -> None:
    """What had stood on b2 was put beside it; the piece that took came last."""
    hand = table("wad3qdaw/p5p1p1/3p1pp2t/10/8f1/1c5P2/2C2P2T1/4P5/QPFP2PP2/WAD4DAW o O - 1 26")
    assert hand.hands("1.669-b2 1.734-b5 1.862+b3 1.956+b2", until=4.0) == ["1 b5-b2"]


def test_a_piece_dragged_over_an_edge_is_not_one_too_many() -> None:
    """It was on h9 and h8 for longer than others are."""
    hand = table("wa1c3daw/p1pp1ppppt/3p6/f9/3F5q/5f4/10/4PQ1T2/TPPPP1PPP1/WAD1C2DAW o B - 11 13")
    lines = hand.hands(
        "1.562-g2 6.721-f5 7.212+g2 12.236-i2 12.597+j2 17.966+h8 18.024-h9", until=20.0
    )
    assert lines == ["1 f5-g2", "2 i2-j2", "3 h9-h8"]


def test_play_goes_on_though_it_is_not_clear_where_a_piece_had_stopped() -> None:
    """It was put down on d5, then on d4, and has taken since: from where makes no difference."""
    hand = table(
        "wad4daw/tpp1pp1p1t/2p4p1p/6f3/2q1C5/10/4Q1c3/P1P2F4/TP1P2PPP1/WAD3FDA1 o O - 1 24"
    )
    lines = hand.hands(
        "1.172-c9 1.402+d9 1.639-e6 1.707+d5 3.138-d5 3.194+d4 3.346+g9 3.346-h9 3.453-d4 3.797-g7"
        " 4.044+g7 4.564-g4 4.790-g2 5.105+g2",
        until=8.0,
    )
    assert [line for line in lines if line[0] in "345"] == ["3 h9-g9", "4 d4-g7", "5 g4-g2"]


def test_what_comes_over_the_square_beside_has_come_from_somewhere() -> None:
    """The switch of d9 stayed closed after its piece; that of e5 did not close by itself."""
    hand = table("wadf1cfdaw/tppqpppppt/3p6/10/10/6Q3/1T8/7P2/1PPPPPP1PT/WADFC1FDAW o O - 7 4")
    lines = hand.hands("2.416+e6 2.465-e6 2.486+e5 17.370-i2 17.452+j3", until=20.0)
    assert lines == ["1 d9-e5", "2 i2-j3"]


def test_what_came_down_may_have_been_the_reply_to_a_piece_swept_away() -> None:
    """c10 was lifted just before d8 closed: e9 took unseen, and nothing has to leave d8 again."""
    hand = table("wad3f1a1/tp2C1f3/1q2p1p1p1/4p2d2/10/1F8/7c2/2P1QP4/2PP1PPPPT/WAD4DAW b - - 1 22")
    lines = hand.hands(
        "1.035-e9 1.546-c10 1.587+d8 2.248-e3 2.296+d4 3.663-i10 3.721+i10 8.573-h2 8.758-h4"
        " 8.969-b5 8.973+h2 9.192-e8 9.355+e8 9.619-g9 9.624+h8 9.735-h8 9.755+g7 9.924-g7 9.965+f6"
    )
    taken = "1? e7 h7 e8 g8 b9 g9 b10 g10"
    assert lines == [taken, "2 c10-d8", "3 e3-d4", "4 h4-h2", "5 b5-e8", "6 g9-f6"]


def test_what_a_piece_closes_besides_that_came_down_at_an_edge_is_no_stranger() -> None:
    """b2 took on b3, at its edge: b4 closes with it, until somebody puts the piece right."""
    hand = table("4f2daw/4C2p2/1p1qpp3t/7p2/10/10/7F1f/1PP1P2P2/Tc2P2PPT/WADQ4AW o BO - 0 25")
    lines = hand.hands(
        "1.431-b3 1.565-b2 3.770+b4 3.794+b3 7.618-f8 9.601-b4 13.832-e9 14.040+f8 15.487-e10"
        " 18.134+d7"
    )
    assert lines == ["1 b2-b3", "2 e9-f8"]


def test_a_piece_swept_away_may_lie_on_a_square_until_others_were_played() -> None:
    """b5 took on d7; what stood there lies on d8 for a third of a second, and nothing else does."""
    hand = table("wad4da1/t1pfppw3/4pp1p1p/3p6/6t2q/1C8/7P2/3P2DPcT/T9/1ADF2Q1AW b - - 0 29")
    lines = hand.hands(
        "1.021-b5 1.053+c6 1.110-c6 1.237+d8 1.272-i3 1.354-g3 1.373+g3 1.615-d8 1.636+d10"
        " 1.648-d10 1.823-d7 1.918+b9 1.951-i1 2.091-g3 2.317+i1 3.773-i2",
        until=6.0,
    )
    assert lines == ["1 b5-d7", "2 i3-g3", "3 d7-b9", "4 g3-i1"]


def test_pieces_that_fall_one_after_another_have_played_nothing() -> None:
    """Those of d2, d1 and c1 fall within a quarter of a second, and roll; all are put up again."""
    hand = table("wa4fdaw/tpppd1pp1t/5p2p1/10/5C4/q9/8P1/1Q5P2/TP1P2P2T/WADc3DAW o B - 1 17")
    lines = hand.hands(
        "1.021-d2 1.112-d1 1.230+d3 1.248-c1 1.531+c2 1.556+d2 5.207-d2 5.323+d1 8.016-c2 8.052+c1"
        " 9.314-d3 9.356+d2 13.516-h9 13.829+i9"
    )
    assert lines == ["1 h9-i9"]


def test_what_making_and_undoing_a_ply_touched_counts_against_nothing_that_follows() -> None:
    """h7 takes e8, unmakes that, g8 makes an illegal move, and h7 is walked to i6."""
    hand = table(
        "wad1qc1d1w/tpp1ppp1pf/3p2p1a1/7t2/5f4/10/4F1P1P1/1C1P4Q1/TPP1P1PP1T/WAD3FDAW b BO - 16 9"
    )
    lines = hand.hands(
        "4.241-e4 4.284+f5 4.317-f5 4.351+g6 4.410-g6 6.539-d8 6.614+e8 7.949-e8 7.956-h7 8.282+e8"
        " 15.699-e8 15.956+h7 16.700+e8 17.626-g8 17.700+f7 20.536-f7 20.746+g8 21.813-h7"
        " 21.912+g6 22.187-g6 22.412+h5 22.804-h5 22.863+i6 24.567-j9 24.633+j8 24.675-j8"
        " 26.258+j6 26.292-j6 31.970-b3 32.286+e1 33.091-f6 33.324+c5"
    )
    assert lines[:4] == ["1 e4-h7", "2 d8-e8", "3 h7-e8", "back 3"]
    assert lines[4:] == ["3 h7-i6", "4 j9-i6", "5 b3-e1", "6 f6-c5"]


def test_a_switch_that_is_held_opens_when_something_beside_it_is_moved() -> None:
    """e10 went to d8, and its switch stays closed; c7 is taken up by itself, and is taken."""
    hand = table("wad1qcfdaw/tppppppppt/10/2f7/10/10/5F4/6P3/TPPPPP1PPT/WADFCQ1DAW o BO - 3 2")
    lines = hand.hands(
        "1.261+d8 5.726-c7 6.089-f4 6.472+c7 9.629-i9 9.667+i8 11.360-b10 11.950-c7 12.111+b10"
    )
    assert lines == ["1? c9 d9 e9 e10", "2 f4-c7", "3 i9-i8", "4 c7-b10"]


def test_a_switch_that_is_held_closed_is_not_one_piece_too_many() -> None:
    """f8 goes to f7, and g8 holds its switch until it is taken up; what b10 had is taken before."""
    hand = table("1a1f1c1da1/10/C4pq2F/6p3/10/10/10/1A8/4Q5/8D1 o BO - 0 27")
    lines = hand.hands(
        "1.8+f7 7.5-a8 8.2-b10 8.6+b10 12.144-f8 12.148-g8 12.53+j6 15.7-g7 16.7-j8 17.0+g7"
        " 20.0-d10 20.5+e9"
    )
    assert lines == ["1 f8-f7", "2 a8-b10", "3 g8-j6", "4 j8-g7", "5 d10-e9"]


def test_what_lies_beside_its_square_may_be_shaken() -> None:
    """f2 took on e3, and put what stood there on f3; a knock shakes that for longer than most."""
    hand = table("wadfqc1daw/2Cf1p2pt/5pppp1/2p7/10/1T8/10/3Qt5/1PPP1PPPPT/WADF2FDAW b BO - 0 15")
    lines = hand.hands(
        "1.332-f2 1.370-e3 1.413+f3 1.663+e3 3.243-a10 3.246+a9 3.352-a9 3.357+b9 3.430-d3"
        " 3.430-f3 3.431+a4 3.431+c5 3.432+d6 3.432-c7 3.433+e8 3.433-h8 3.433-b9 3.433-c9 3.433-f9"
        " 3.433-i10 3.433-j10 3.434-a1 3.434-b1 3.434-c1 3.434-i2 3.436-b5 3.436+f3 3.437-a4"
        " 3.437+h9 3.437-c5 3.438-d6 3.438+c7 3.439-e8 3.439+h8 3.439+d3 3.439+b9 3.439+c9"
        " 3.439+i10 3.439+j10 3.440+c1 3.440+b6 3.440+i2 3.442+b5 3.442+a1 3.442+b1 3.442-f3"
        " 3.443+a4 3.443+h3 3.443-h9 3.445-c7 3.445-i10 3.446+f9 3.446-b6 3.448+f3 3.449-a4"
        " 3.449-h3 3.450-c9 3.451+c7 3.451+i10 3.452+b6 3.454-f3 3.458-b6 3.473+f3 3.479-f3"
        " 3.485+f3 3.543+e8"
    )
    assert lines == ["1? e3 f3", "2 a10-b9", "3 c9-e8"]


def test_a_piece_may_come_to_where_one_that_was_taken_lay() -> None:
    """e2 is walked to d4, and what stood there lies on d3, until d2 comes there."""
    hand = table(
        "wad3f1aw/tppp2p1pt/5pd3/7p2/3p4Q1/5C3q/1T1D6/2P3PT2/1PPPc3P1/WADF2F1AW b BO - 3 19"
    )
    lines = hand.hands(
        "1.508-f5 1.515+g5 1.701-g5 1.743+f6 1.935-f6 1.963+e6 2.037-d4 2.386-e2 2.408+d3 2.538+f3"
        " 2.923-f3 3.068+e4 3.467-e4 3.605+d4 5.550-d2 5.605-d3 5.646+d3",
        until=10.0,
    )
    assert lines == ["1 f5-e6", "2? d3 d4", "3 d2-d3"]


def test_a_sleeve_pushes_a_piece_over_the_edge_of_its_square() -> None:
    """That of e8 holds f8 too while b10 is in the hand, and is put right."""
    hand = table("1ad4d2/1wp3tpp1/4C1p1aw/2p7/1q2c5/2P1Q5/9P/1P8/T1PP1P1P2/WAD4DFW o BO - 2 29")
    lines = hand.hands(
        "2.067-b10 2.229-e8 2.238+f8 2.484+e8 9.507-e8 11.008-f8 12.639+b10 14.593+e8 20.0-b10"
        " 20.5+b8"
    )
    assert lines == ["1 b10-b8"]


def test_a_switch_is_held_for_little_more_than_a_second() -> None:
    """h9 goes to g8, and g9 beside holds its switch until it is taken up and goes to h9."""
    hand = table("wadf1cfdaw/t1pp1ppppt/p4p4/4q5/7Q2/10/10/1P2P5/T1PPP1PPPT/WADFC1FDAW o BO - 7 4")
    lines = hand.hands(
        "1.456+g8 2.267-h6 2.536+b2 3.151-g9 3.208-h9 3.286+h9 3.358-g2 3.467+f3 4.304-d9 4.348+e8"
    )
    assert lines == ["1 h9-g8", "2 h6-b2", "3 g9-h9", "4 g2-f3", "5 d9-e8"]


def test_a_piece_may_go_and_come_back_before_anything_is_told() -> None:
    """d1 goes to c4 and, after a quick reply, back: as if nothing had happened but that."""
    hand = table("wad1qcfdaw/tpp1pppp1t/1p7p/2f7/10/10/7P2/4P5/TPPPP1P1PT/WADFCQFDAW b BO - 8 5")
    lines = hand.hands(
        "1.083-h1 1.194+g3 1.437-e10 1.466+g8 1.476-g8 1.496+h7 1.692-d1 1.894+c4 1.971-b9 2.000+a8"
        " 2.183-c4 2.296+d1 3.135-f10 3.229+e8"
    )
    assert lines[:5] == ["1 h1-g3", "2 e10-h7", "3 d1-c4", "4 b9-a8", "5 c4-d1"]


def test_quick_players_are_asked_from_where_a_piece_came_once_its_switch_has_opened() -> None:
    """h9 goes to g8 and g9 to h8, or the other way round: both open only as the second goes."""
    hand = table("w1dfqc1daw/1p3ppppt/2p2p4/1t3f4/1C8/10/8P1/2P7/TPP1PPPP1T/WAD2QFDAW b BO - 1 10")
    lines = hand.hands(
        "1.357-b6 1.563-c8 1.810+c8 2.810+h8 3.701-h8 3.720+g8 3.810-c8 3.891+e9 4.168-f10"
        " 4.696+f10 6.310-h9 6.315-g9 6.457+h8 6.477-c10 6.581-e9 6.701+c10"
    )
    assert lines == ["1 b6-c8", "2? g9 h9", "3 c8-e9", "4? g9 h9", "5 e9-c10"]


def test_what_was_put_up_again_and_then_moved_had_taken_nothing() -> None:
    """g2 and f2 fell, and f2 stands first: told as a capture, until g2 slides away to g5."""
    hand = table("wadf4aw/tp2pp2pt/7p1q/10/10/2C7/8Q1/1PPPc3P1/T3PP1PP1/WAD3FDAW o B - 3 21")
    lines = hand.hands(
        "2.674-e3 2.961+g2 4.794-c5 5.126+f5 12.156-g2 12.264-f2 12.295+g2 15.555-g2"
        " 15.613+f2 16.426+g2 18.685-g2 18.717+g3 18.752-g3 18.775+g4 18.802-g4 18.834+g5"
        " 18.902-g5 20.648+g5 23.112-b3 23.400+a3 25.674-e9 25.782+d9",
        until=60.0,
    )
    assert lines[:4] == ["1 e3-g2", "2 c5-f5", "3 g2-f2", "back 3"]
    assert lines[4:] == ["3 g2-g5", "4 b3-a3", "5 e9-d9"]


def test_a_switch_is_held_while_a_reply_and_the_reply_to_that_are_made() -> None:
    """b9 slid to b8, which holds its switch; j3 is reached meanwhile, and b8 goes on to a8."""
    hand = table()
    lines = hand.hands(
        "1.142-f1 1.290+h4 1.312+b8 1.476-j2 1.527+j3 1.620-b9 1.655-b8 1.691+a8 2.213-e2 2.284+f3"
    )
    assert lines == ["1 f1-h4", "2 b9-b8", "3 j2-j3", "4 b8-a8", "5 e2-f3"]


def test_what_came_before_a_switch_held_shut_is_told_while_quick_players_go_on() -> None:
    """f1 goes to g4 and on to c4, and its switch stays shut for longer than is looked ahead."""
    hand = table("wadfqcfdaw/tppppppppt/10/10/10/10/8T1/10/TPPPPPPPP1/WADFCQFDAW o BO - 1 1")
    lines = hand.hands(
        "1.100-e9 1.298+d8 1.447+g4 1.544-a9 1.560+a8 2.004-a2 2.030+a3 2.747-b9 2.874+a9 3.641-g4"
        " 3.878+c4 5.119-i9 5.177+h8 5.774+c3 5.775-c4 5.876-c3 5.876+b3 6.028-b3 6.061+a2"
        " 6.881-e10 6.990+g8",
        until=12.0,
    )
    assert lines[:3] == ["1 e9-d8", "2 f1-g4", "3 a9-a8"]
    assert lines[3:] == ["4 a2-a3", "5 b9-a9", "6 g4-c4", "7 i9-h8", "8 c4-a2", "9 e10-g8"]
