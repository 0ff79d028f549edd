import { ConfigSchema } from './config.ts'
import { tableValue, type Schema } from './key.ts'
import { words } from './describe-constraint.ts'
import { yamlOf } from './yaml-words.ts'

/** docs/config.md, from the schema: its descriptions are the manual. */
export function describeConfig(): string {
  const schema = ConfigSchema
  const sections = Object.entries(schema.properties ?? {})
  const parts = [introduction, contents(sections.map(([key]) => key))]
  for (const [key, inner] of sections) parts.push(...sectionText(key, inner))
  return `${parts.join('\n\n')}\n`
}

/** The schema for editors: JSON Schema, with no more required than the file needs. */
export function publishedSchema(): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Gatehouse', ...published(ConfigSchema) }
}

const introduction = `<!-- Made by \`npm run docs\` from server/src/config. Change it there. -->

# Configuration

One file, \`config.yml\`, in the configuration directory (\`CONFIG_DIR\`, default \`./config\`). It is made at the first start, with every key in it as a comment. A key that is not given has its default.

**A change takes effect on save**, by hand or in the editor, where a key does not say otherwise. A file changed by hand is read once it has stood unchanged for a second. One that is not valid, contains no key or is missing is not applied: the log says what is wrong with it, and the previous configuration stays active. With a database that has users, the service does not start without its \`config.yml\`. A role that is missing from the file grants nothing, and its users keep its name; only deleting a role in the UI or by the API gives them another one.

**A bad file stops the start** with status 78 and every problem at once:

\`\`\`
config.yml:3:19 auth.session_length: found "soon"; allowed: a whole number, 0 or more
config.yml:7:3 auth.trusted_proxy: the key "trusted_proxy" is not known; did you mean \`auth.trusted_proxies\`?
\`\`\`

**Placeholders** keep secrets out of the file. Each is filled from the environment variable of its name, or else from the file of that name in \`$CREDENTIALS_DIRECTORY\` (default \`/run/secrets\`). A camera's \`source\` and \`motion.detect_source\` take \`{SERVICE_CAM_…}\`, among the credentials of the address or in its query; \`proxy.auth_secret\` takes \`{SERVICE_PROXY_…}\`, and \`database.url\` takes \`{SERVICE_DATABASE_…}\`. No other key has placeholders, and nothing is filled with \`SERVICE_JWT_SECRET\`. One that nothing fills is a problem. Among the credentials of an address, and in its query, the value is percent-encoded for you: write the password as it is.

**Trusted headers** are listed in \`server/trusted_headers.conf\`, one name a line, \`#\` before a comment. Only they can be named in \`proxy.header_map\`. To trust others, mount a list of your own over that file, or name it in \`TRUSTED_HEADERS_FILE\`, and start again.

**The file** is YAML 1.2 in UTF-8. Anchors and aliases work; tags and merge keys (\`<<\`) do not. A key given twice is a problem. \`auth.roles\` changed in the UI or by the API is written back into the file with its comments kept; the version before is \`config.yml.previous\`. For that, mount the directory into a container, not the file alone.`

const contents = (keys: readonly string[]): string =>
  `Sections: ${keys.map((key) => `[\`${key}\`](#${key})`).join(', ')}.`

function sectionText(key: string, schema: Schema): string[] {
  const value = tableValue(schema)
  if (value?.properties) {
    return [`## ${key}`, schema.description ?? '', ...examples(key, schema), ...keysText(`${key}.<name>`, value)]
  }
  if (!schema.properties) return [`## ${key}`, keyText(key, schema)]
  return [`## ${key}`, schema.description ?? '', ...keysText(key, schema)]
}

function keysText(path: string, schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const at = `${path}.${key}`
    const heading = `### \`${at}\``
    if (!inner.properties) return [heading, keyText(at, inner)]
    return [heading, inner.description ?? '', ...keysText(at, inner)]
  })
}

function keyText(path: string, schema: Schema): string {
  const facts = [
    `- Allowed: ${tableValue(schema) ? tableWords(schema) : words(schema)}`,
    schema.default === undefined ? '- Has to be given.' : `- Default: \`${yamlOf(schema.default)}\``,
    ...(schema.restart ? ['- A change takes effect at the next start.'] : []),
    ...(schema.secret ? ['- Secret: shown to nobody but an administrator who reads the file.'] : []),
  ]
  return [schema.description ?? '', '', ...facts, ...examples(path, schema)].join('\n')
}

const tableWords = (schema: Schema): string => `names, each with ${words(tableValue(schema) ?? {})}`

function examples(path: string, { examples = [] }: Schema): string[] {
  const name = path.split('.').at(-1) ?? path
  return examples.length === 0
    ? []
    : [`- Example: ${examples.map((each) => `\`${name}: ${yamlOf(each)}\``).join(' or ')}`]
}

function published(schema: Schema): object {
  const { properties, patternProperties, items, anyOf, allowed: _allowed, secret, restart: _restart, ...plain } = schema
  const inner = (table: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(table).map(([key, value]) => [key, published(value)]))
  const required = Object.entries(properties ?? {})
    .filter(([, value]) => value.default === undefined && !value.properties && !tableValue(value))
    .map(([key]) => key)
  return {
    ...plain,
    ...(secret ? { writeOnly: true } : {}),
    ...(properties ? { properties: inner(properties), required } : {}),
    ...(patternProperties ? { patternProperties: inner(patternProperties), additionalProperties: false } : {}),
    ...(items ? { items: published(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(published) } : {}),
  }
}
