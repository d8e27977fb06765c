use super::{ExitSentinel, exit_sentinel_line};
use proptest::prelude::*;

const NONCE: &str = "0123456789abcdef0123456789abcdef";

fn sentinel() -> ExitSentinel {
    ExitSentinel::new(NONCE)
}

/// The exit code of a line in which `N` stands for the nonce in quotes.
fn exit_code(line: &str) -> Option<f64> {
    sentinel().exit_code(&line.replace('N', &format!("\"{NONCE}\"")))
}

fn escaped(text: &str) -> String {
    let escapes: Vec<_> = text.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
    escapes.concat()
}

#[test]
fn the_line_that_is_written_is_found() {
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    let line = exit_sentinel_line(&units("137"), &units(NONCE));
    let line = String::from_utf16(&line).unwrap();
    assert_eq!(line, format!("{{\"__exit\":137,\"__nonce\":\"{NONCE}\"}}"));
    assert_eq!(sentinel().exit_code(&line), Some(137.0));
}

#[test]
fn any_spelling_of_the_object_counts() {
    let lines = [
        r#"{"__nonce":N,"__exit":5}"#,
        " \u{FEFF}\u{A0}{ \"x\" : [{}] ,\t\"__exit\" : 5 , \"__nonce\":N } \r",
        r#"{"__exit":4,"__nonce":"x","__nonce":N,"__exit":5}"#,
        r#"{"__exit":1e400,"__nonce":null,"__exit":5,"__nonce":N}"#,
        r#"{"__e\u0078it":5,"\u005f_nonce":N}"#,
        r#"{"__exit":5,"__nonce":N,"x":"\ud800","\udfff":"\ud800\ud800"}"#,
        r#"{"__exit":5,"__nonce":N,"__proto__":{},"":1e999,"y":-0.0e-0}"#,
        r#"{"__nonce":{"__nonce":"x"},"__exit":5,"__nonce":N}"#,
    ];
    for line in lines {
        assert_eq!(exit_code(line), Some(5.0), "{line}");
    }
    let line = format!(r#"{{"__exit":5,"__nonce":"{}"}}"#, escaped(NONCE));
    assert_eq!(exit_code(&line), Some(5.0));
}

#[test]
fn an_exit_code_is_an_integer_of_a_double() {
    let cases = [
        ("0", 0.0),
        ("-0", -0.0),
        ("-1", -1.0),
        ("1.0", 1.0),
        ("1e2", 100.0),
        ("1E+2", 100.0),
        ("120e-1", 12.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("1e308", 1e308),
        (
            "123456789012345678901234567890",
            123_456_789_012_345_680_000_000_000_000.0,
        ),
        ("0.99999999999999999999", 1.0),
        ("1e-400", 0.0),
    ];
    for (code, expected) in cases {
        let actual = exit_code(&format!("{{\"__exit\":{code},\"__nonce\":N}}"));
        assert_eq!(
            actual.map(f64::to_bits),
            Some(f64::to_bits(expected)),
            "{code}"
        );
    }
    let others = [
        "0.5", "1e400", "-1e400", "\"1\"", "null", "true", "[1]", "{}", "NaN", "inf", "01", "1.",
        ".5", "+1", "1e", "0x1", "- 1",
    ];
    for code in others {
        let line = format!("{{\"__exit\":{code},\"__nonce\":\"{NONCE}\"}}");
        assert_eq!(exit_code(&line), None, "{code}");
    }
}

#[test]
fn other_lines_are_none() {
    let lines = [
        "",
        "N",
        "{}",
        "null",
        "[]",
        r#"{"__exit":5}"#,
        r#"{"__nonce":N}"#,
        r#"{"__exit":5,"__nonce":N"#,
        r#"{"__exit":5,"__nonce":N}}"#,
        r#"{"__exit":5,"__nonce":N,}"#,
        r#"{"__exit":5,"__nonce":N} x"#,
        r#"[{"__exit":5,"__nonce":N}]"#,
        r#"{"x":{"__exit":5,"__nonce":N}}"#,
        r#"{"__exit":5,"x":{"__nonce":N}}"#,
        r#"{"__exit":5,"__nonce":[N]}"#,
        r#"{"__exit":5,"__nonce":N,"__nonce":"x"}"#,
        r#"{"__exit":5,"__nonce":N,"__exit":null}"#,
        r#"{"__exit":5,"__nonce":N,"x":"\u12"}"#,
        r#"{"__exit":5,"__nonce":N,"x":"\x"}"#,
        r#"{'__exit':5,"__nonce":N}"#,
        r#"{"__exit":5,"__nonce":N,x:1}"#,
        r#"{"__exit":5,"__nonce":N,1:1}"#,
        r#"{"__exit":5,"__nonce":N,"x":nul}"#,
        r#"{"__exit":5,"__nonce":N /* x */}"#,
        "{\"__exit\":5,\"__nonce\":N,\"a\tb\":1}",
        "{\"__exit\":5,\"__nonce\":N,\"x\":\"a\u{1}b\"}",
        "\u{85}{\"__exit\":5,\"__nonce\":N}",
        "{\u{A0}\"__exit\":5,\"__nonce\":N}",
        "{\"__exit\":5,\u{FEFF}\"__nonce\":N}",
    ];
    for line in lines {
        assert_eq!(exit_code(line), None, "{line}");
    }
    let upper = NONCE.to_uppercase();
    assert_eq!(
        exit_code(&format!("{{\"__exit\":5,\"__nonce\":\"{upper}\"}}")),
        None
    );
    let longer = format!("{NONCE}0");
    assert_eq!(
        exit_code(&format!("{{\"__exit\":5,\"__nonce\":\"{longer}\"}}")),
        None
    );
}

#[test]
fn nesting_has_no_limit() {
    let depth = 200_000;
    let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let line = format!("{{\"x\":{nested},\"__exit\":5,\"__nonce\":N}}");
    assert_eq!(exit_code(&line), Some(5.0));
    let unclosed = line.replacen(']', "", 1);
    assert_eq!(exit_code(&unclosed), None);
}

#[test]
fn of_a_text_the_last_sentinel_counts() {
    let line = |code: &str| format!("{{\"__exit\":{code},\"__nonce\":\"{NONCE}\"}}");
    let other = line("9").replace(NONCE, "x");
    let last = |text: &str| sentinel().last_exit_code(text);
    assert_eq!(
        last(&format!("a\n{}\n{}\n\nb\n{other}\n", line("1"), line("2"))),
        Some(2.0)
    );
    assert_eq!(last(&line("3")), Some(3.0));
    assert_eq!(
        last(&format!("cut off\": 1}}\n{}\r\n", line("4"))),
        Some(4.0)
    );
    assert_eq!(last(&format!("{}\n{}", line("5"), line("null"))), Some(5.0));
    assert_eq!(last(&format!("{} {}", line("5"), line("6"))), None);
    assert_eq!(last(""), None);
}

#[test]
fn bytes_that_can_not_hold_it_are_told_at_a_glance() {
    let may_be_in = |bytes: &[u8]| sentinel().may_be_in(bytes);
    let without: [&[u8]; 8] = [
        b"",
        b"{\"__exit\":0,\"__nonce\":\"x\"}\n",
        br"\u001b[0m \u00e9 \u2003",
        br"\u0067 \u0060 \u003a \u004",
        br"\u00",
        br"\u003",
        br"\U0030",
        b"\xff\x00\\u0",
    ];
    for bytes in without {
        assert!(!may_be_in(bytes), "{bytes:?}");
    }
    let with: [&[u8]; 4] = [
        b"\xff0123456789abcdef0123456789abcdef\n",
        br"\u001b\u0066",
        br"\u0030",
        br"\\u0031",
    ];
    for bytes in with {
        assert!(may_be_in(bytes), "{bytes:?}");
    }
}

#[test]
fn a_nonce_of_another_kind_may_be_anywhere() {
    let line = r#"{"__exit":5,"__nonce":"\n\ud83d\ude00\/"}"#;
    let sentinel = ExitSentinel::new("\n😀/");
    assert!(sentinel.may_be_in(b""));
    assert_eq!(sentinel.exit_code(line), Some(5.0));
    let empty = ExitSentinel::new("");
    assert_eq!(empty.exit_code(r#"{"__exit":5,"__nonce":""}"#), Some(5.0));
    assert_eq!(empty.exit_code(r#"{"__exit":5}"#), None);
}

/// A text as a JSON string, with any of its characters escaped.
fn spelled(text: &'static str) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::bool::weighted(0.2), text.len()).prop_map(move |escapes| {
        let characters = text.chars().zip(escapes);
        let spelled: Vec<_> = characters
            .map(|(character, is_escaped)| {
                if is_escaped {
                    format!("\\u{:04x}", u32::from(character))
                } else {
                    character.to_string()
                }
            })
            .collect();
        format!("\"{}\"", spelled.concat())
    })
}

fn json_value() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => spelled(NONCE),
        2 => "-?(0|[1-9][0-9]{0,16})",
        1 => "-?(0|[1-9][0-9]{0,3})[.][0-9]{1,3}([eE][+-]?[0-9])?",
        1 => prop_oneof![Just("null"), Just("true"), Just("[]"), Just("{}"), Just("\"x\"")]
            .prop_map(str::to_owned),
    ]
}

fn json_object() -> impl Strategy<Value = String> {
    let key = prop_oneof![spelled("__exit"), spelled("__nonce"), spelled("other")];
    prop::collection::vec((key, json_value()), 0..7).prop_map(|fields| {
        let fields: Vec<_> = fields
            .iter()
            .map(|(key, value)| format!("{key}: {value}"))
            .collect();
        format!("{{{}}}", fields.join(" , "))
    })
}

/// The obvious way. Of greater numbers than there are here, `serde_json` may miss the last digit.
fn oracle(line: &str) -> Option<f64> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let object = value.as_object()?;
    let is_ours = object.get("__nonce")?.as_str()? == NONCE;
    let code = object.get("__exit")?.as_f64()?;
    (is_ours && code.fract() == 0.0).then_some(code)
}

proptest! {
    #[test]
    fn equals_the_oracle_over_objects(line in json_object()) {
        prop_assert_eq!(sentinel().exit_code(&line), oracle(&line));
    }

    #[test]
    fn a_glance_misses_no_sentinel(
        line in json_object(),
        before in prop::collection::vec(any::<u8>(), 0..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let line = &line[..line.floor_char_boundary(cut.index(line.len() + 1))];
        if oracle(line).is_some() {
            let bytes = [before.as_slice(), b"\n", line.as_bytes(), b"\n"].concat();
            prop_assert!(sentinel().may_be_in(&bytes));
        }
    }
}
