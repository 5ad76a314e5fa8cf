//! Names of operations and members as the emitters for .NET, JavaScript and Go write them.
//!
//! Java has [`crate::java::member_names`], Python [`crate::python_names`].

/// `displayName` -> `DisplayName`, as .NET and Go write what is public.
#[must_use]
pub fn pascal(name: &str) -> String {
    with_first(name, char::to_uppercase)
}

/// `DisplayName` -> `displayName`, as JavaScript writes methods, and Go what stays within its package.
#[must_use]
pub fn camel(name: &str) -> String {
    with_first(name, char::to_lowercase)
}

/// `ContactList` -> `contactList` and `account_id` -> `accountId`, as JavaScript writes properties. What begins with several
/// capitals or with `_` is left as it is: what becomes of it is not certain.
#[must_use]
pub fn javascript_property(name: &str) -> String {
    if name.starts_with('_') || name.chars().nth(1).is_some_and(char::is_uppercase) {
        return name.to_owned();
    }
    let mut words = name.split('_').filter(|word| !word.is_empty());
    let first = words.next().map(camel).unwrap_or_default();
    words.fold(first, |all, word| all + &pascal(word))
}

fn with_first<I: Iterator<Item = char>>(name: &str, change: impl Fn(char) -> I) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| change(first).chain(characters).collect()).unwrap_or_default()
}

/// The methods of an operation in .NET. What lists is called `Get` there.
#[must_use]
pub fn dotnet_methods(operation: &str) -> Vec<String> {
    let own = pascal(operation);
    let listed = own.strip_prefix("List").map(|rest| match rest {
        "" => "GetAll".to_owned(),
        rest => format!("Get{rest}"),
    });
    std::iter::once(own).chain(listed).flat_map(|name| [name.clone(), format!("{name}Async")]).collect()
}

/// The methods and functions of an operation in JavaScript: a client that people wrote around one that runs long begins it.
#[must_use]
pub fn javascript_methods(operation: &str) -> Vec<String> {
    vec![camel(operation), format!("begin{}", pascal(operation))]
}

/// The methods of an operation in Go: what runs long is begun, and what comes in pages has a pager.
#[must_use]
pub fn go_methods(operation: &str) -> Vec<String> {
    let own = pascal(operation);
    vec![own.clone(), format!("Begin{own}"), format!("New{own}Pager")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_written_as_javascript_writes_them_where_that_is_certain() {
        for (name, written) in [
            ("ContactList", "contactList"),
            ("X509Thumbprint", "x509Thumbprint"),
            ("account_id", "accountId"),
            ("displayName", "displayName"),
            ("URLPath", "URLPath"),
            ("_links", "_links"),
            ("", ""),
        ] {
            assert_eq!(javascript_property(name), written);
        }
    }

    #[test]
    fn operations_are_written_as_each_emitter_writes_them() {
        assert_eq!(dotnet_methods("getWidget"), ["GetWidget", "GetWidgetAsync"]);
        assert_eq!(dotnet_methods("listParts"), ["ListParts", "ListPartsAsync", "GetParts", "GetPartsAsync"]);
        assert_eq!(dotnet_methods("list")[2..], ["GetAll", "GetAllAsync"]);
        assert_eq!(javascript_methods("GetWidget"), ["getWidget", "beginGetWidget"]);
        assert_eq!(go_methods("listParts"), ["ListParts", "BeginListParts", "NewListPartsPager"]);
        assert_eq!((pascal(""), camel("ÄX")), (String::new(), "äX".to_owned()));
    }
}
