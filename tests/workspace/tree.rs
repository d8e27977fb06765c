//! A tree of files, folders and links, and the naive way to follow links in it.

use std::collections::BTreeMap;

use ai_sandbox_native::workspace::path;

/// What is at a path of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    File(usize),
    Dir,
    Link(String),
    Fifo,
    /// Of a type that no contract knows.
    Odd,
}

/// Nodes by their absolute paths.
#[derive(Debug, Default)]
pub struct Tree(BTreeMap<String, Node>);

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Led {
    Real(String),
    Missing,
    Dangling,
    Loop,
}

impl Led {
    /// What it means for a path when the target of a link in it leads there.
    fn of_target(self) -> Self {
        if self == Self::Missing {
            Self::Dangling
        } else {
            self
        }
    }
}

const MAX_LINKS: usize = 40;

impl Tree {
    pub fn add(&mut self, path: &str, node: Node) {
        self.0.insert(path.to_owned(), node);
    }

    pub fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// The node at `path` as `lstat` of a kernel sees it: links before the last part are followed.
    pub fn lstat(&self, path: &str) -> Option<&Node> {
        let path = path::resolve(path);
        let folder = self.real(path::dirname(&path))?;
        self.get(&path::join(&folder, path::basename(&path)))
    }

    /// The node at `path` with all links followed.
    pub fn stat(&self, path: &str) -> Option<&Node> {
        self.get(&self.real(path)?)
    }

    /// The names in the folder at `path`.
    pub fn names(&self, path: &str) -> Vec<String> {
        let Some(folder) = self.real(path) else {
            return Vec::new();
        };
        let paths = self.0.keys().filter(|path| path.as_str() != "/");
        let paths = paths.filter(|path| path::dirname(path) == folder);
        paths.map(|path| path::basename(path).to_owned()).collect()
    }

    /// The oracle of `realpath`: a link is followed by a call of its own.
    pub fn follow(&self, path: &str) -> Led {
        self.walk("/", &path::resolve(path), &mut 0)
            .map_or_else(|led| led, Led::Real)
    }

    fn walk(&self, folder: &str, way: &str, links: &mut usize) -> Result<String, Led> {
        let mut real = if way.starts_with('/') { "/" } else { folder }.to_owned();
        for name in way.split('/').filter(|name| !matches!(*name, "" | ".")) {
            let next = path::join(&real, name);
            real = match self.get(&next) {
                _ if name == ".." => next,
                None => return Err(Led::Missing),
                Some(Node::Link(_)) if *links == MAX_LINKS => return Err(Led::Loop),
                Some(Node::Link(target)) => {
                    *links += 1;
                    self.walk(&real, target, links).map_err(Led::of_target)?
                }
                Some(_) => next,
            };
        }
        Ok(real)
    }

    fn real(&self, path: &str) -> Option<String> {
        self.walk("/", &path::resolve(path), &mut 0).ok()
    }

    fn get(&self, path: &str) -> Option<&Node> {
        self.0.get(path).or((path == "/").then_some(&Node::Dir))
    }
}
