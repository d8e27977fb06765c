use super::*;
use proptest::prelude::*;

fn all() -> LineRange {
    LineRange::new(1.0, f64::INFINITY)
}

fn parse(output: &str) -> Option<Page> {
    Page::parse(output.to_owned(), all())
}

fn lines(page: &Page) -> Vec<&str> {
    page.lines().collect()
}

#[test]
fn the_command_is_exact() {
    assert_eq!(
        command("it's", LineRange::new(3.0, 10.0)),
        r#"wc -c < './it'\''s' && od -An -v -tx1 -N 8192 './it'\''s' && echo @lines && awk -v o=3 -v e=13 -v max=65536 'NR >= e { more = 1; exit } NR >= o { print; n += length($0) + 1; if (n > max) e = NR + 1 } END { if (more) print "more"; else print "total " NR }' './it'\''s'"#
    );
}

#[test]
fn line_numbers_follow_the_arithmetic_of_javascript() {
    let cases = [
        ((1.0, 10.0), "o=1 -v e=11 "),
        ((0.0, 10.0), "o=1 -v e=11 "),
        ((-7.0, 2.9), "o=1 -v e=3 "),
        ((2.9, -1.0), "o=2 -v e=2 "),
        ((f64::NAN, f64::NAN), "o=1 -v e=1 "),
        ((f64::NEG_INFINITY, f64::NEG_INFINITY), "o=1 -v e=1 "),
        ((5.0, f64::INFINITY), "o=5 -v e=9007199254740991 "),
        (
            (f64::INFINITY, 1.0),
            "o=9007199254740991 -v e=9007199254740991 ",
        ),
        ((1e300, 1e300), "o=1e+300 -v e=2e+300 "),
        (
            (f64::MAX, f64::MAX),
            "o=1.7976931348623157e+308 -v e=9007199254740991 ",
        ),
        ((1e20, 1e21), "o=100000000000000000000 -v e=1.1e+21 "),
    ];
    for ((offset, limit), expected) in cases {
        let command = command("a", LineRange::new(offset, limit));
        assert!(command.contains(expected), "{offset} {limit}: {command}");
    }
}

#[test]
fn a_page_to_the_end_has_a_total() {
    let page = parse("  12\n 61 0a\n ff\n@lines\na\n\nb\ntotal 3\n").unwrap();
    assert_eq!(page.head, [0x61, 0x0a, 0xff]);
    assert_eq!((page.size, page.total), (12.0, Some(3.0)));
    assert_eq!(lines(&page), ["a", "", "b"]);
    assert_eq!(page.text(), Some("a\n\nb"));
}

#[test]
fn a_page_before_the_end_has_no_total() {
    let page = parse("2\n61\n@lines\na\nmore").unwrap();
    assert_eq!((page.total, lines(&page)), (None, vec!["a"]));
}

#[test]
fn a_page_behind_the_end_has_no_lines() {
    let page = parse("2\n61\n@lines\ntotal 1\n").unwrap();
    assert_eq!(
        (page.total, page.text(), lines(&page)),
        (Some(1.0), None, vec![])
    );
}

#[test]
fn an_empty_file_has_one_empty_line() {
    let output = "0\n@lines\ntotal 0\n";
    let page = parse(output).unwrap();
    assert_eq!((page.total, lines(&page)), (Some(1.0), vec![""]));
    assert_eq!((page.head.as_slice(), page.size), (&[][..], 0.0));
    let second = Page::parse(output.to_owned(), LineRange::new(2.0, 1.0)).unwrap();
    assert_eq!((second.total, lines(&second)), (Some(1.0), vec![]));
}

#[test]
fn an_empty_file_that_has_more_keeps_its_lines() {
    // A special file: `wc` counts what was there, awk reads what came since.
    let page = parse("0\n@lines\na\nmore\n").unwrap();
    assert_eq!((page.total, lines(&page)), (None, vec!["a"]));
}

#[test]
fn the_output_ends_with_one_newline_at_most() {
    assert!(parse("2\n61\n@lines\na\ntotal 1").is_some());
    assert!(parse("2\n61\n@lines\na\ntotal 1\n\n").is_none());
}

#[test]
fn a_line_of_the_file_may_look_like_the_frame() {
    let page = parse("9\n61\n@lines\n@lines\nmore\ntotal 7\ntotal 3\n").unwrap();
    assert_eq!(lines(&page), ["@lines", "more", "total 7"]);
}

#[test]
fn carriage_returns_and_other_separators_stay_in_the_lines() {
    let page = parse("9\n61\n@lines\na\r\nb\u{2028}c\u{85}\ntotal 2\n").unwrap();
    assert_eq!(lines(&page), ["a\r", "b\u{2028}c\u{85}"]);
}

#[test]
fn case_15_padded_wc_and_crlf_keep_size_and_head() {
    let page = parse("      3\r\n 61 62\r\n 63\r\n@lines\nabc\ntotal 1\n").unwrap();
    assert_eq!((page.size, page.head.as_slice()), (3.0, &b"abc"[..]));
}

#[test]
fn case_15_crlf_around_the_mark_is_not_a_page() {
    assert!(parse("3\r\n 61\r\n@lines\r\nabc\r\ntotal 1\r\n").is_none());
}

#[test]
fn case_15_a_warning_behind_the_total_is_not_a_page() {
    assert!(parse("3\n61\n@lines\nabc\ntotal 1\nawk: warning\n").is_none());
}

#[test]
fn garbled_outputs_are_not_pages() {
    let cases = [
        "",
        "\n",
        "more",
        "total 1",
        "@lines\nmore",
        "@lines\na\nmore\n",
        "@lines\na\n@lines\nmore\n",
        "1\nmore\n",
        "1\n@lines\n",
        "1\n61\ntotal 1\n",
        "1\n@lines \ntotal 1\n",
        "1\n@lines\ntotal\n",
        "1\n@lines\ntotal \n",
        "1\n@lines\ntotal -1\n",
        "1\n@lines\ntotal 1 \n",
        "1\n@lines\ntotal ١\n",
        "1\n@lines\nTOTAL 1\n",
        "1\n@lines\n more\n",
    ];
    for output in cases {
        assert_eq!(parse(output), None, "{output:?}");
    }
}

#[test]
fn garbage_in_the_numbers_is_read_as_javascript_reads_it() {
    let page = parse("x\n zz 1ff\u{FEFF}-1 \u{85}\n@lines\nmore\n").unwrap();
    assert!(page.size.is_nan());
    // U+0085 is no white space for JavaScript, so it is one more byte that isn't hex.
    assert_eq!(page.head, [0, 255, 255, 0]);
    assert_eq!(
        parse("\u{FEFF} \n@lines\ntotal 5\n").unwrap().total,
        Some(1.0)
    );
}

/// The obvious way: rows in a list.
fn parse_naively(output: &str, first: u8) -> Option<(u64, Vec<String>, Option<f64>)> {
    let mut rows: Vec<&str> = output.split('\n').collect();
    if rows.last() == Some(&"") {
        rows.pop();
    }
    let mark = rows.iter().position(|&row| row == "@lines")?;
    let status = *rows.last()?;
    let count = status
        .strip_prefix("total ")
        .and_then(|count| count.parse::<u32>().ok());
    if mark == 0 || mark == rows.len() - 1 || (status != "more" && count.is_none()) {
        return None;
    }
    let is_empty = js::number(rows[0]) == 0.0;
    let size = js::number(rows[0]).to_bits();
    let lines = rows[mark + 1..rows.len() - 1]
        .iter()
        .map(ToString::to_string)
        .collect();
    Some(match count {
        None => (size, lines, None),
        Some(_) if is_empty && first == 1 => (size, vec![String::new()], Some(1.0)),
        Some(_) if is_empty => (size, vec![], Some(1.0)),
        Some(count) => (size, lines, Some(f64::from(count))),
    })
}

proptest! {
    #[test]
    fn pages_are_read_as_the_naive_way_reads_them(
        rows in proptest::collection::vec(
            prop_oneof![
                Just("@lines"), Just("more"), Just("total 2"), Just("total x"), Just("0"),
                Just("7"), Just("61 62"), Just(""), Just("é"),
            ],
            0..8,
        ),
        first in 1_u8..3,
    ) {
        let output = rows.join("\n");
        let range = LineRange::new(f64::from(first), 5.0);
        let page = Page::parse(output.clone(), range)
            .map(|page| (page.size.to_bits(), page.lines().map(str::to_owned).collect::<Vec<_>>(), page.total));
        prop_assert_eq!(page, parse_naively(&output, first));
    }

    #[test]
    fn no_output_panics(output in any::<String>(), offset in any::<f64>(), limit in any::<f64>()) {
        let range = LineRange::new(offset, limit);
        drop(Page::parse(output, range));
        prop_assert!(!command("a", range).contains("NaN"));
        prop_assert!(!command("a", range).contains("inf"));
    }
}
