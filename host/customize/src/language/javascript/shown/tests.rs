use super::*;

const TEXT: &str = "\
import { SecretBundle, DeletionLevel as Level } from \"./generated/models/index.js\";
import { KeyVaultClient as GeneratedClient } from \"./generated/keyVaultClient.js\";
import { backup as generatedBackup } from \"./generated/api/operations.js\";
import type { KeyVaultContext } from \"./generated/api/index.js\";
import { OtherClient } from \"./other.js\"; import * as api from \"./generated/api/parts/operations.js\";

export { Level as SecretLevel, generatedBackup as saveAll };
export { restore as recover, Bundle as Secret } from \"./generated/api/operations.js\";
export { DeletionLevel } from \"./generated/models/index.js\";
export type Stored = SecretBundle;
export interface SecretOptions extends SecretBundle {
  value?: string;
}

export class SecretClient {
  private readonly client: GeneratedClient;
  public getSecret(name: string): Promise<string>;
  public getSecret(name: string, version?: string): Promise<string> {
    return span(async (options) => this.client.getSecret(name, options));
  }
  public async beginDelete(name: string) {
    return await this.client.delete(name);
  }
  private purge(name: string) {
    return this.client.purge(name);
  }
  update(name: string) {
    return this.update(name);
  }
  backup = (name: string) => generatedBackup(this.context, name);
  list(name: string) {
    return this.client.parts.list(name);
  }
  count = () => api.count(this.client);
}

export class Other {
  getSecret(name: string) {
    return this.other.getSecret(name);
  }
  readonly other: OtherClient;
}

class Hidden extends GeneratedClient {
  getSecret() {}
}

export class VaultClient extends GeneratedClient {
  rotate() {}
}

export interface PartsOperations {
  list: (name: string) => Promise<void>;
}

export function sign(context: KeyVaultContext, name: string) {}
export const verify = async (client: GeneratedClient) => {};
export function encrypt(name: string) {}
function decrypt(client: GeneratedClient) {}
";

fn brief(found: Vec<Exported>) -> Vec<String> {
    found.into_iter().map(|(_, one)| format!("{}:{}", one.line, one.name)).collect()
}

fn sought(holder: &str, name: &str) -> Sought {
    let (holder, above) = (holder.to_owned(), "KeyVaultClient".to_owned());
    let place = if holder.ends_with("Client") { Place::Client } else { Place::Group { above } };
    Sought::Operation { holder, place, name: name.into(), called: vec![name.into(), "fetch".into()] }
}

fn operation(holder: &str, name: &str) -> Vec<String> {
    brief(shown(TEXT, &sought(holder, name)))
}

#[test]
fn methods_of_classes_around_a_client_are_shown_and_overloads_are_one() {
    assert_eq!(operation("KeyVaultClient", "getSecret"), ["17:SecretClient.getSecret"]);
    assert_eq!(operation("KeyVaultClient", "delete"), ["21:SecretClient.beginDelete"]);
    assert_eq!(operation("KeyVaultClient", "backup"), ["30:SecretClient.backup"]);
    assert_eq!(operation("KeyVaultClient", "rotate"), ["49:VaultClient.rotate"]);
    assert_eq!(operation("parts", "list"), ["31:SecretClient.list", "53:PartsOperations.list"]);
    assert_eq!(operation("parts", "count"), ["34:SecretClient.count"]);
    // What it calls has another name since a rename.
    let renamed = TEXT.replace("this.client.getSecret(", "this.client.fetch(");
    assert_eq!(brief(shown(&renamed, &sought("KeyVaultClient", "getSecret"))), ["17:SecretClient.getSecret"]);
}

#[test]
fn exported_functions_that_take_the_client_and_exports_under_another_name_are_shown() {
    assert_eq!(operation("KeyVaultClient", "sign"), ["56:sign"]);
    assert_eq!(operation("KeyVaultClient", "verify"), ["57:verify"]);
    let (holder, called) = ("KeyVaultClient".into(), vec!["recover".into(), "restore".into()]);
    let of = Sought::Operation { holder, place: Place::Client, name: "recover".into(), called };
    assert_eq!(brief(shown(TEXT, &of)), ["8:recover"]);
    assert_eq!(brief(own_names(TEXT, &sought("KeyVaultClient", "backup"))), ["7:saveAll"]);
}

#[test]
fn private_methods_those_of_other_clients_and_what_is_not_exported_are_not_shown() {
    for (holder, name) in [
        ("KeyVaultClient", "purge"),
        ("KeyVaultClient", "update"),
        ("KeyVaultClient", "encrypt"),
        ("KeyVaultClient", "decrypt"),
        ("KeyVaultClient", "recover"),
        ("CertificateClient", "getSecret"),
        ("widgets", "getSecret"),
    ] {
        assert_eq!(operation(holder, name), Vec::<String>::new(), "{holder} {name}");
    }
    assert!(shown("export class A {", &Sought::Type { name: "A".into() }).is_empty());
}

#[test]
fn types_are_shown_by_their_name_and_those_of_generated_code_by_what_they_are_exported_as() {
    let of =
        |read: fn(&str, &Sought) -> Vec<Exported>, name: &str| brief(read(TEXT, &Sought::Type { name: name.into() }));
    assert_eq!(of(shown, "SecretClient"), ["15:SecretClient"]);
    assert_eq!(of(own_names, "DeletionLevel"), ["7:SecretLevel"]);
    assert_eq!(of(own_names, "Bundle"), ["8:Secret"]);
    assert_eq!(of(own_names, "SecretBundle"), ["10:Stored"]);
    for name in ["Hidden", "SecretBundle", "DeletionLevel", "Level", "sign"] {
        assert_eq!(of(shown, name), Vec::<String>::new(), "{name}");
    }
    assert_eq!(of(own_names, "KeyVaultClient"), Vec::<String>::new());
    let property = |model: &str| Sought::Property { models: vec![model.into()], name: "value".into() };
    assert_eq!(brief(shown(TEXT, &property("SecretBundle"))), ["12:SecretOptions.value"]);
    assert!(shown(TEXT, &property("Other")).is_empty());
}
