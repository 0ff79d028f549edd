import { accessWords } from './access-table.ts'
import type { Route, RouteSchema } from './route.ts'
import { keysOf, shapeText } from './shape-text.ts'

/** The API reference as an HTML page without scripts or subresources. Its links are relative, for any base path. */
export function referencePage(routes: readonly Route[], version: string): string {
  const groups = Map.groupBy(routes.toSorted(byPath), ({ path }) => groupOf(path))
  const names = [...groups.keys()].toSorted()
  const menu = names.map((name) => `<li><a href="#${name}">${text(name)}</a></li>`)
  const parts = names.map(
    (name) => `<section><h2 id="${name}">${text(name)}</h2>${(groups.get(name) ?? []).map(entry).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Gatehouse</title>
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header>
<p><a href="../">Gatehouse</a></p>
<h1>API reference</h1>
<p>Version ${text(version)}. For programs: <a href="openapi.json">openapi.json</a>.</p>
<p>Sign in with <code>POST /api/login</code>. The token is set as a cookie; a program can send it as
<code>Authorization: Bearer …</code> instead. Errors are <code>application/problem+json</code> with a
stable <code>code</code>.</p>
<nav aria-label="Sections"><ul>${menu.join('')}</ul></nav>
</header>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
}

/** The section of the reference that a path belongs to. */
const groupOf = (path: string): string => /^\/api\/([\w-]+)/.exec(path)?.[1] ?? 'other'

const byPath = (one: Route, other: Route): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : (one.methods[0] ?? '') < (other.methods[0] ?? '') ? -1 : 1

function entry({ methods, path, socket, access, schema, text: media }: Route): string {
  const method = socket ? 'WebSocket' : methods.join(', ')
  const braced = path.replaceAll(/:(\w+)/g, '{$1}')
  return `<details><summary><span class="method">${text(method)}</span> <code>${text(braced)}</code>
<span class="says">${marked(schema.summary)}</span></summary>
${
  schema.description
    ? `<p>${marked(schema.description)}</p>
`
    : ''
}<p>Access: ${marked(accessWords(access))}.</p>
${parameters(schema)}${body(schema, media)}${responses(schema)}</details>`
}

function parameters({ params, querystring }: RouteSchema): string {
  const rows = [
    ...(params ? keysOf(params).map((key) => ({ ...key, where: 'path' })) : []),
    ...(querystring ? keysOf(querystring).map((key) => ({ ...key, where: 'query' })) : []),
  ].map(
    ({ name, where, shape, needed, description }) =>
      `<tr><th scope="row"><code>${text(name)}</code></th><td>${where}${needed ? ', required' : ''}</td>
<td><code>${text(shape)}</code></td><td>${marked(description)}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<h3>Parameters</h3><div class="wide"><table>${rows.join('')}</table></div>`
}

function body({ body: schema }: RouteSchema, media = 'application/json'): string {
  return schema ? `<h3>Body, <code>${text(media)}</code></h3><pre tabindex="0">${text(shapeText(schema))}</pre>` : ''
}

function responses({ response = {}, otherResponses = {} }: RouteSchema): string {
  const json = Object.entries(response).map(
    ([status, schema]) => `<h3>Response ${status}</h3><pre tabindex="0">${text(shapeText(schema))}</pre>`,
  )
  const others = Object.entries(otherResponses).map(
    ([status, type]) => `<h3>Response ${status}${type === null ? '' : `, <code>${text(type)}</code>`}</h3>`,
  )
  return [...json, ...others].join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const text = (raw: string): string => raw.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? '')

/** Escapes text and marks up parts between backticks as code. */
const marked = (raw: string): string => text(raw).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5dcd9, #36423f); --dim: light-dark(#56635f, #b6c2be);
  --gate: light-dark(#105f4f, #7dceb6); --card: light-dark(#fff, #1b2422); }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#f6f8f7, #101716); color: light-dark(#17211f, #dfe6e4); }
a { color: var(--gate); }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; scroll-margin-top: 1rem; }
h3 { margin: 1rem 0 .25rem; font-size: .875rem; color: var(--dim); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); padding: 0 1rem; }
details[open] { padding-bottom: 1rem; }
summary { margin: 0 -1rem; padding: .75rem 1rem; cursor: pointer; }
summary code { font-weight: 600; }
.method { display: inline-block; min-width: 5.5rem; font-size: .8125rem; font-weight: 700; color: var(--gate); }
.says { display: block; color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem 1rem .25rem 0; text-align: start; vertical-align: top; }
pre { margin: 0; padding: .75rem; overflow-x: auto; border-radius: .375rem; background: light-dark(#f6f8f7, #101716); }
`
