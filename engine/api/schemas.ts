/** The schema registry over the generated tables, with room for messages of our own groups. */
import { assert } from '../base/assert.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { expandMessage, type MessageRow } from './table.ts';
import { tables } from './tables/index.gen.ts';

/** Schemas by OpenAPI definition name. `extra` adds messages of groups that upstream does not have, and stands for those of its own that are others in a release. */
export function createSchemaRegistry(extra: readonly MessageSchema[] = []): SchemaRegistry {
  return new TableRegistry(extra);
}

class TableRegistry implements SchemaRegistry {
  readonly #loaders = new Map(tables);
  readonly #messages: Map<string, MessageSchema>;

  constructor(extra: readonly MessageSchema[]) {
    this.#messages = new Map(extra.map((message) => [message.name, message]));
  }

  get(name: string): MessageSchema | undefined {
    const known = this.#messages.get(name);
    if (known !== undefined) return known;
    this.#load(name.slice(0, name.lastIndexOf('.')));
    return this.#messages.get(name);
  }

  mustGet(name: string): MessageSchema {
    const message = this.get(name);
    assert(message, `schema ${name}`);
    return message;
  }

  names(): readonly string[] {
    for (const prefix of [...this.#loaders.keys()]) this.#load(prefix);
    return [...this.#messages.keys()].sort();
  }

  #load(prefix: string): void {
    const loader = this.#loaders.get(prefix);
    if (loader === undefined) return;
    this.#loaders.delete(prefix);
    for (const row of loader()) {
      const message = expandMessage(prefix, row as MessageRow);
      if (!this.#messages.has(message.name)) this.#messages.set(message.name, message);
    }
  }
}
