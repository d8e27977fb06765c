//! `realpath`.

use ai_sandbox_native::workspace::{Backend, Error};
use futures::executor::block_on;
use proptest::prelude::*;

use crate::memory::{Memory, Options, backend, failure, link, success};
use crate::tree::{Led, Node};

fn realpath(backend: &Backend<Memory>, path: &str) -> Result<Option<String>, String> {
    block_on(backend.realpath(path, &Options(1))).map_err(|error| error.to_string())
}

#[track_caller]
fn assert_real(backend: &Backend<Memory>, path: &str, real: &str) {
    assert_eq!(realpath(backend, path), Ok(Some(real.to_owned())));
}

#[test]
fn a_path_without_links_is_itself_from_the_root() {
    let backend = backend(&[("/d", Node::Dir), ("/d/a", Node::File(1))]);
    assert_real(&backend, "/d/a", "/d/a");
    assert_real(&backend, "d//x/.././a/", "/d/a");
    assert_eq!(
        backend.sandbox().calls(),
        ["lstat /d #1", "lstat /d/a #1"].repeat(2)
    );
}

#[test]
fn the_root_needs_no_call() {
    let backend = backend(&[]);
    for path in ["/", "", ".", "/a/../.."] {
        assert_real(&backend, path, "/");
    }
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn what_is_not_there_is_nothing() {
    let backend = backend(&[("/d", Node::Dir), ("/l", link("d"))]);
    for path in ["/none", "/none/a", "/d/none", "/l/none", "/l/none/a"] {
        assert_eq!(realpath(&backend, path), Ok(None));
    }
}

#[test]
fn links_are_read_in_their_folder_by_their_name() {
    let backend = backend(&[
        ("/d", Node::Dir),
        ("/d/l", link("e")),
        ("/d/e", link("/f")),
        ("/f", Node::Dir),
        ("/f/a", Node::File(1)),
    ]);
    assert_real(&backend, "/d/l/a", "/f/a");
    assert_eq!(
        backend.sandbox().calls(),
        [
            "lstat /d #1",
            "lstat /d/l #1",
            "readlink -- 'l' in /d #1",
            "lstat /d/e #1",
            "readlink -- 'e' in /d #1",
            "lstat /f #1",
            "lstat /f/a #1",
        ]
    );
}

#[test]
fn dots_behind_a_link_go_to_the_parent_of_its_target() {
    let backend = backend(&[
        ("/w", Node::Dir),
        ("/w/l", link("sub/../b/./c")),
        ("/w/sub", link("/deep/er")),
        ("/deep", Node::Dir),
        ("/deep/er", Node::Dir),
        ("/deep/b", Node::Dir),
        ("/deep/b/c", Node::File(1)),
        ("/up", link("../../..")),
    ]);
    assert_real(&backend, "/w/l", "/deep/b/c");
    assert_real(&backend, "/up", "/");
}

#[test]
fn a_missing_part_of_a_target_is_a_dangling_link() {
    let backend = backend(&[
        ("/l", link("none")),
        ("/m", link("l/x")),
        ("/d", Node::Dir),
        ("/to-d", link("d")),
        ("/in-d", link("d/none")),
    ]);
    for path in ["/l", "/l/x", "/m", "/in-d", "/in-d/x"] {
        let error = format!("ENOENT: {path} is a link to a target that is not there.");
        assert_eq!(realpath(&backend, path), Err(error));
    }
    // The target is there; what is missing is a part of the path itself.
    assert_eq!(realpath(&backend, "/to-d/none"), Ok(None));
}

#[test]
fn a_missing_part_of_a_nested_target_is_still_of_the_target() {
    let backend = backend(&[("/a", link("b/none")), ("/b", link("c")), ("/c", Node::Dir)]);
    let error = "ENOENT: /a/x is a link to a target that is not there.";
    assert_eq!(realpath(&backend, "/a/x"), Err(error.to_owned()));
}

#[test]
fn case_13_chains_of_40_links_work_and_of_41_fail() {
    let backend = backend(&[("/0", Node::File(1))]);
    for number in 1..=41 {
        let target = (number - 1).to_string();
        backend
            .sandbox()
            .tree()
            .add(&format!("/{number}"), link(&target));
    }
    assert_real(&backend, "/40", "/0");
    backend.sandbox().calls();
    assert_eq!(
        realpath(&backend, "/41"),
        Err("ELOOP: too many links in /41.".to_owned())
    );
    // The last link isn't read any more.
    assert_eq!(backend.sandbox().calls().len(), 41 + 40);
}

#[test]
fn case_13_a_loop_fails() {
    let backend = backend(&[("/a", link("b")), ("/b", link("./a")), ("/c", link("c/c"))]);
    assert_eq!(
        realpath(&backend, "a/x"),
        Err("ELOOP: too many links in a/x.".to_owned())
    );
    assert_eq!(
        realpath(&backend, "/c"),
        Err("ELOOP: too many links in /c.".to_owned())
    );
}

#[test]
fn case_14_names_may_hold_anything() {
    let names = [
        "it's", "a\nb", "-n", "v=1.txt", "a b", "😀", "''", "a\n", "é\"$`\\",
    ];
    for name in names {
        let backend = backend(&[
            ("/l", link(name)),
            (&format!("/{name}"), link("/end")),
            ("/end", Node::File(1)),
        ]);
        assert_real(&backend, "/l", "/end");
    }
}

#[test]
fn without_lstat_no_path_is_vouched_for() {
    let backend = backend(&[("/a", Node::File(1))]);
    backend.sandbox().without_lstat();
    let error = "This sandbox has no lstat, so links in a/ cannot be checked.";
    assert_eq!(realpath(&backend, "a/"), Err(error.to_owned()));
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn a_link_that_cannot_be_read_fails_with_the_trimmed_stderr() {
    let backend = backend(&[("/d", Node::Dir), ("/d/l", link("x"))]);
    backend
        .sandbox()
        .answer("readlink -- 'l'", failure("\u{FEFF} readlink: denied\n\n"));
    let error = "Cannot read the link /d/l: readlink: denied";
    assert_eq!(realpath(&backend, "/d/l/x"), Err(error.to_owned()));
}

#[test]
fn readlink_that_prints_nothing_fails() {
    let backend = backend(&[("/l", link("x"))]);
    for stdout in ["", "\n"] {
        backend.sandbox().answer("readlink -- 'l'", success(stdout));
        let error = "Cannot read the link /l: no target in the output";
        assert_eq!(realpath(&backend, "/l"), Err(error.to_owned()));
    }
}

#[test]
fn one_newline_behind_a_target_is_of_readlink() {
    let backend = backend(&[("/l", link("x")), ("/a\n", Node::Dir), ("/b", Node::Dir)]);
    backend
        .sandbox()
        .answer("readlink -- 'l'", success("a\n\n"));
    assert_real(&backend, "/l", "/a\n");
    backend.sandbox().answer("readlink -- 'l'", success("b"));
    assert_real(&backend, "/l", "/b");
}

#[test]
fn the_error_of_the_provider_comes_through() {
    let backend = backend(&[("/l", link("a"))]);
    for call in ["lstat /a #1", "readlink -- 'l' in / #1", "lstat /l #1"] {
        let fault = backend.sandbox().fail(call);
        let result = block_on(backend.realpath("/l", &Options(1)));
        assert_eq!(result, Err(Error::Provider(fault)));
    }
}

/// Few, so that most paths lead somewhere.
const NAMES: [&str; 3] = ["a", "b", "it's"];

fn path_of_names() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => proptest::sample::select(&NAMES[..]),
        1 => Just(".."),
        1 => Just("."),
        1 => Just(""),
    ];
    (any::<bool>(), proptest::collection::vec(part, 1..4)).prop_map(|(is_absolute, parts)| {
        format!("{}{}", if is_absolute { "/" } else { "" }, parts.join("/"))
    })
}

fn node() -> impl Strategy<Value = Node> {
    // An empty target can't be made on any system.
    let target = path_of_names().prop_filter("empty", |target| !target.is_empty());
    prop_oneof![1 => Just(Node::File(1)), 3 => Just(Node::Dir), 3 => target.prop_map(Node::Link)]
}

/// Nodes on up to three levels. Those whose parent is no folder are out of reach.
fn nodes() -> impl Strategy<Value = Vec<(String, Node)>> {
    let place = proptest::collection::vec(proptest::sample::select(&NAMES[..]), 1..4);
    proptest::collection::vec(
        (
            place.prop_map(|names| format!("/{}", names.join("/"))),
            node(),
        ),
        8..40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn realpath_is_that_of_the_naive_way(nodes in nodes(), path in path_of_names()) {
        let nodes: Vec<_> = nodes.iter().map(|(path, node)| (path.as_str(), node.clone())).collect();
        let backend = backend(&nodes);
        let expected = match backend.sandbox().tree().follow(&path) {
            Led::Real(real) => Ok(Some(real)),
            Led::Missing => Ok(None),
            Led::Dangling => Err(format!("ENOENT: {path} is a link to a target that is not there.")),
            Led::Loop => Err(format!("ELOOP: too many links in {path}.")),
        };
        prop_assert_eq!(realpath(&backend, &path), expected);
    }
}
