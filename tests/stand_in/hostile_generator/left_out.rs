//! A complete generation that leaves out what the specification has.

use super::Attacked;

/// Takes the methods of this name out of every generated file, or the classes whose name begins so.
fn without(what: &str) -> Attacked {
    Attacked::by(&format!(
        "const path = require('path');\n\
         for (const file of fs.readdirSync('azure', {{ recursive: true }})) {{\n\
           if (!file.endsWith('.py')) continue;\n\
           const place = path.join('azure', file);\n\
           const text = fs.readFileSync(place, 'utf8');\n\
           fs.writeFileSync(place, text.replace(/{what}/g, '$1_gone'));\n\
         }}"
    ))
}

#[test]
fn generation_that_leaves_out_an_operation_or_a_client_of_the_specification_fails() {
    for (what, named) in [
        ("(def )delete_widget\\b", "operation `Widgets.delete_widget`"),
        ("(class )PartsOperations\\b", "client `PartsOperations`"),
    ] {
        let attacked = without(what);
        let answer = attacked.generate().exits(1);
        assert!(
            answer.stdout.contains("missing-from-generation") || answer.stdout.contains("left the"),
            "{}",
            answer.stdout
        );
        assert!(answer.stdout.contains(named), "{}", answer.stdout);
        attacked.assert_whole();
        let answer = attacked.world.customize("hide operation getPart from the Python SDK").exits(1).json();
        assert_eq!(answer["outcome"], "failure", "{answer:#}");
        attacked.assert_whole();
    }
}

/// The request takes the name away.
#[test]
fn generation_without_an_operation_that_the_run_hides_is_let_through() {
    let attacked = without("(def )delete_widget\\b");
    let answer = attacked.world.customize("hide operation deleteWidget from the Python SDK").exits(0).json();
    assert_eq!(answer["outcome"], "success", "{answer:#}");
}
