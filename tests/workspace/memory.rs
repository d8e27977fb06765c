//! A sandbox in memory. It notes each call with all its arguments, and can fail or wait at any.

use std::borrow::Cow;
use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use ai_sandbox_native::workspace::{
    Backend, ExecOptions, ExecOutput, Lstat, Ownership, PathArg, Sandbox, path,
};
use futures::channel::oneshot;

use super::tree::{Node, Tree};

/// An error of the provider. Equal means the same object.
#[derive(Debug, Clone)]
pub struct Fault(Rc<str>);

impl Fault {
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }
}

impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// A path as the caller gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallerPath(pub String);

/// The options of a call, told apart by a number.
#[derive(Debug, Clone, Copy)]
pub struct Options(pub u32);

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    pub path: String,
}

#[derive(Debug, Default)]
pub struct Memory {
    tree: RefCell<Tree>,
    has_no_lstat: Cell<bool>,
    calls: RefCell<Vec<String>>,
    faults: RefCell<HashMap<String, Fault>>,
    gates: RefCell<HashMap<String, oneshot::Receiver<()>>>,
    outputs: RefCell<HashMap<String, ExecOutput>>,
}

/// A backend that doesn't own its sandbox.
pub fn backend(nodes: &[(&str, Node)]) -> Backend<Memory> {
    let memory = Memory::default();
    for (path, node) in nodes {
        memory.tree().add(path, node.clone());
    }
    Backend::new(memory, Ownership::Borrowed)
}

pub fn link(target: &str) -> Node {
    Node::Link(target.to_owned())
}

pub fn at(path: &str) -> CallerPath {
    CallerPath(path.to_owned())
}

pub fn success(stdout: &str) -> ExecOutput {
    ExecOutput::Success {
        stdout: Some(stdout.to_owned()),
    }
}

pub fn failure(stderr: &str) -> ExecOutput {
    ExecOutput::Failure {
        stderr: Some(stderr.to_owned()),
    }
}

impl Memory {
    pub fn tree(&self) -> RefMut<'_, Tree> {
        self.tree.borrow_mut()
    }

    pub fn without_lstat(&self) {
        self.has_no_lstat.set(true);
    }

    /// The calls since the last time, in their order.
    pub fn calls(&self) -> Vec<String> {
        self.calls.take()
    }

    /// From now on this call fails.
    pub fn fail(&self, call: &str) -> Fault {
        let fault = Fault::new(call);
        self.faults
            .borrow_mut()
            .insert(call.to_owned(), fault.clone());
        fault
    }

    /// The next such call goes on when the sender is used.
    pub fn hold(&self, call: &str) -> oneshot::Sender<()> {
        let (sender, receiver) = oneshot::channel();
        self.gates.borrow_mut().insert(call.to_owned(), receiver);
        sender
    }

    /// What a command ends with.
    pub fn answer(&self, command: &str, output: ExecOutput) {
        self.outputs.borrow_mut().insert(command.to_owned(), output);
    }

    async fn call(&self, call: String) -> Result<(), Fault> {
        self.calls.borrow_mut().push(call.clone());
        let gate = self.gates.borrow_mut().remove(&call);
        if let Some(gate) = gate {
            // A dropped sender lets the call go on too.
            let _ = gate.await;
        }
        self.faults
            .borrow()
            .get(&call)
            .map_or(Ok(()), |fault| Err(fault.clone()))
    }

    fn run(&self, command: &str, cwd: &str) -> ExecOutput {
        if let Some(output) = self.outputs.borrow().get(command) {
            return output.clone();
        }
        let quoted = command
            .strip_prefix("readlink -- '")
            .and_then(|rest| rest.strip_suffix('\''));
        let Some(quoted) = quoted else {
            return failure("no such command");
        };
        let name = quoted.replace(r"'\''", "'");
        match self.tree().lstat(&path::join(cwd, &name)) {
            Some(Node::Link(target)) => success(&format!("{target}\n")),
            _ => failure("not a link\n"),
        }
    }
}

fn text(path: PathArg<'_, Memory>) -> &str {
    match path {
        PathArg::Caller(path) => &path.0,
        PathArg::Text(path) => path,
        PathArg::Entry(entries, index) => entries.get(index).map_or("", |entry| &entry.path),
    }
}

impl Sandbox for Memory {
    type Error = Fault;
    type Path = CallerPath;
    type Options = Options;
    type Size = usize;
    type LstatFn = ();
    type Bytes = Option<usize>;
    type Entries = Vec<Entry>;
    type Job = &'static str;

    fn path_text<'a>(&self, path: &'a CallerPath) -> Result<Cow<'a, str>, Fault> {
        Ok(Cow::Borrowed(&path.0))
    }

    fn lstat_fn(&self, _: &Self::Options) -> Result<Option<()>, Fault> {
        Ok((!self.has_no_lstat.get()).then_some(()))
    }

    async fn lstat(
        &self,
        (): &(),
        path: PathArg<'_, Self>,
        options: &Options,
    ) -> Result<Option<Lstat<usize>>, Fault> {
        self.call(format!("lstat {} #{}", text(path), options.0))
            .await?;
        Ok(self.tree().lstat(text(path)).map(|node| match node {
            Node::File(size) => Lstat::File { size: *size },
            Node::Dir => Lstat::Dir,
            Node::Link(_) => Lstat::Symlink,
            Node::Fifo => Lstat::Other,
            Node::Odd => Lstat::Unknown {
                kind: "odd".to_owned(),
            },
        }))
    }

    async fn exists(&self, path: PathArg<'_, Self>, options: &Options) -> Result<bool, Fault> {
        self.call(format!("exists {} #{}", text(path), options.0))
            .await?;
        Ok(self.tree().stat(text(path)).is_some())
    }

    async fn read_bytes(
        &self,
        path: PathArg<'_, Self>,
        options: &Options,
    ) -> Result<Option<usize>, Fault> {
        self.call(format!("readBytes {} #{}", text(path), options.0))
            .await?;
        match self.tree().stat(text(path)) {
            Some(Node::File(size)) => Ok(Some(*size)),
            Some(Node::Odd) => Ok(None),
            _ => Err(Fault::new("not a file")),
        }
    }

    async fn list(&self, path: &CallerPath, options: &Options) -> Result<Vec<Entry>, Fault> {
        self.call(format!("list {} #{}", path.0, options.0)).await?;
        let names = self.tree().names(&path.0).into_iter();
        Ok(names
            .map(|name| Entry {
                path: path::join(&path.0, &name),
                name,
            })
            .collect())
    }

    async fn remove(&self, path: &CallerPath, options: &Options) -> Result<(), Fault> {
        self.call(format!("remove {} #{}", path.0, options.0))
            .await?;
        self.tree().remove(&path::resolve(&path.0));
        Ok(())
    }

    async fn exec(
        &self,
        command: &str,
        options: Option<ExecOptions<'_, Self>>,
    ) -> Result<ExecOutput, Fault> {
        let note = match &options {
            Some(options) => format!("{command} in {} #{}", options.cwd, options.signal_of.0),
            None => command.to_owned(),
        };
        self.call(note).await?;
        Ok(self.run(command, options.map_or("/", |options| options.cwd)))
    }

    async fn destroy(&self) -> Result<(), Fault> {
        self.call("destroy".to_owned()).await
    }

    fn byte_length(&self, bytes: &Option<usize>) -> Result<Option<usize>, Fault> {
        Ok(*bytes)
    }

    fn entry_count(&self, entries: &Vec<Entry>) -> Result<usize, Fault> {
        Ok(entries.len())
    }

    fn kill(&self, job: &&'static str) {
        self.calls.borrow_mut().push(format!("kill {job}"));
    }
}
