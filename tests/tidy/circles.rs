//! Which files of a crate name each other in a circle: read from the paths in their code, re-exports followed to where the
//! item stands. Calls of methods are not seen, so that no type may have methods all over its crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{ImplItem, Item, UseTree};

type Module = Vec<String>;

/// A crate's files, without their tests.
#[derive(Default)]
pub(super) struct Crate {
    modules: BTreeMap<Module, File>,
}

/// What a file declares and names.
#[derive(Default)]
struct File {
    path: PathBuf,
    /// Submodules and items declared here.
    children: BTreeSet<String>,
    items: BTreeSet<String>,
    /// Names brought in, and modules of which all names are.
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Paths in its code.
    paths: BTreeSet<Vec<String>>,
    /// Types that have methods here.
    methods_of: BTreeSet<String>,
}

impl Crate {
    /// Adds a file by its path below the crate's root.
    pub(super) fn add(&mut self, path: &Path, text: &str) {
        let mut module: Module =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
            module.pop();
        }
        let mut file = File { path: path.to_owned(), ..File::default() };
        file.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        self.modules.insert(module, file);
    }

    /// Groups of files each of which needs all the others, the largest first.
    pub(super) fn circles(&self) -> Vec<Vec<&Path>> {
        let needs: BTreeMap<&Module, BTreeSet<&Module>> = self
            .modules
            .iter()
            .map(|(module, file)| {
                let named = file.paths.iter().filter_map(|path| self.module_of(module, path, 0));
                (module, named.filter(|other| *other != module).collect())
            })
            .collect();
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            self.modules.keys().map(|module| (module, reach(&needs, module))).collect();
        let mut circles: BTreeSet<Vec<&Path>> = BTreeSet::new();
        for (module, all) in &reached {
            let circle = all.iter().filter(|other| reached[*other].contains(module));
            let circle: Vec<&Path> = circle.map(|other| self.modules[*other].path.as_path()).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        let mut circles: Vec<_> = circles.into_iter().collect();
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    /// Files in which a type has methods, by type.
    pub(super) fn methods(&self) -> BTreeMap<&str, BTreeSet<&Path>> {
        let mut found: BTreeMap<&str, BTreeSet<&Path>> = BTreeMap::new();
        for file in self.modules.values() {
            for name in &file.methods_of {
                found.entry(name).or_default().insert(&file.path);
            }
        }
        found
    }

    /// The module where what a path names stands; none for what is not of this crate.
    fn module_of<'a>(&'a self, at: &Module, path: &[String], depth: u8) -> Option<&'a Module> {
        let (first, rest) = path.split_first().filter(|_| depth < 12)?;
        match first.as_str() {
            "crate" => self.below(Vec::new(), rest, depth),
            "self" => self.below(at.clone(), rest, depth),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                self.below(at[..at.len().checked_sub(up)?].to_vec(), &path[up..], depth)
            }
            _ => self.below(at.clone(), path, depth),
        }
    }

    fn below<'a>(&'a self, mut at: Module, path: &[String], depth: u8) -> Option<&'a Module> {
        let (module, file) = self.modules.get_key_value(&at)?;
        let Some((first, rest)) = path.split_first() else { return Some(module) };
        if file.children.contains(first) {
            at.push(first.clone());
            return self.below(at, rest, depth);
        }
        if file.items.contains(first) && (rest.is_empty() || !file.imports.contains_key(first)) {
            return Some(module);
        }
        let longer = |start: &[String], rest: &[String]| -> Vec<String> { start.iter().chain(rest).cloned().collect() };
        if let Some(import) = file.imports.get(first).filter(|import| import.first() != Some(first)) {
            return self.module_of(&at, &longer(import, rest), depth + 1);
        }
        file.globs.iter().find_map(|glob| self.module_of(&at, &longer(glob, path), depth + 1))
    }
}

/// All modules that one needs, itself where it is in a circle.
fn reach<'a>(needs: &BTreeMap<&'a Module, BTreeSet<&'a Module>>, from: &Module) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = needs[from].iter().copied().collect();
    while let Some((module, more)) = open.pop().and_then(|module| needs.get_key_value(module)) {
        if reached.insert(*module) {
            open.extend(more);
        }
    }
    reached
}

impl File {
    fn import(&mut self, tree: &UseTree, mut at: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                at.push(path.ident.to_string());
                self.import(&path.tree, at);
            }
            UseTree::Name(name) => {
                if name.ident != "self" {
                    at.push(name.ident.to_string());
                }
                self.imports.extend(at.last().cloned().map(|name| (name, at)));
            }
            UseTree::Rename(name) => {
                if name.ident != "self" {
                    at.push(name.ident.to_string());
                }
                self.imports.insert(name.rename.to_string(), at);
            }
            UseTree::Glob(_) => self.globs.push(at),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, at.clone())),
        }
    }

    fn declare(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Mod(item) if item.content.is_none() => {
                self.children.insert(item.ident.to_string());
                return;
            }
            Item::Impl(item) => {
                let methods = item.items.iter().any(|item| matches!(item, ImplItem::Fn(_)));
                if let (syn::Type::Path(path), None, true) = (&*item.self_ty, &item.trait_, methods) {
                    self.methods_of.extend(path.path.segments.last().map(|part| part.ident.to_string()));
                }
                return;
            }
            _ => return,
        };
        self.items.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_file(&mut self, file: &'ast syn::File) {
        for item in file.items.iter().filter(|item| !is_for_tests(item)) {
            self.declare(item);
            self.visit_item(item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        // Tokens are written with spaces around each of them.
        let text = mac.tokens.to_string().replace(" :: ", "::");
        for path in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))) {
            let path: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            if !path.is_empty() {
                self.paths.insert(path);
            }
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

fn is_for_tests(item: &Item) -> bool {
    let attrs = match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attrs.iter().any(|attr| attr.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test"))
}

#[test]
fn files_that_name_each_other_are_a_circle() {
    let mut house = Crate::default();
    house.add(Path::new("lib.rs"), "mod a; mod b; mod c; pub use b::B;");
    house.add(Path::new("a.rs"), "use crate::B; pub struct A(B); impl A { fn a() { crate::c::c() } }");
    house.add(Path::new("b.rs"), "pub struct B; impl B { fn b() { drop(vec![super::a::A]) } }");
    house.add(Path::new("c.rs"), "pub fn c() {} #[cfg(test)] mod tests { use crate::a::A; fn t(a: A) {} }");
    assert_eq!(house.circles(), [vec![Path::new("a.rs"), Path::new("b.rs")]]);
    assert_eq!(house.methods().keys().collect::<Vec<_>>(), [&"A", &"B"]);
}
