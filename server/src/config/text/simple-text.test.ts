import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomYaml } from '../../../test/support/random-yaml.ts'
import { readSimpleText } from './simple-text.ts'
import type { TextNode } from './text-node.ts'
import { nodesOf } from './yaml-nodes.ts'
import { readYaml } from './yaml-text.ts'

/** Texts to try; the same ones each time, unless set. */
const runs = Number(process.env['YAML_RUNS'] ?? 6000)

/** What the YAML parser reads; undefined if it finds anything wrong. */
function parsed(text: string): TextNode | null | undefined {
  const problems: unknown[] = []
  const yaml = readYaml(text, (...problem) => problems.push(problem))
  return yaml && problems.length === 0 ? nodesOf(yaml.document) : undefined
}

/** The position of nothing written after a key is never shown. */
function comparable(node: TextNode | null | undefined): unknown {
  if (node?.kind === 'list') return { ...node, items: node.items.map(comparable) }
  if (node?.kind !== 'table') return node
  const valueOf = (value: TextNode | null) =>
    value?.kind === 'scalar' && value.source === '' ? value.value : comparable(value)
  return { ...node, keys: node.keys.map((key) => ({ ...key, value: valueOf(key.value) })) }
}

test('[CONF-1] the reader of simple texts agrees with the YAML parser about every value and position, or leaves the text to it', () => {
  let count = 0
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const text = randomYaml(seed)
      const simple = readSimpleText(text)
      if (!simple) return
      count += 1
      expect(comparable(simple), JSON.stringify(text)).toEqual(comparable(parsed(text)))
    }),
    { numRuns: runs, ...(process.env['YAML_RUNS'] === undefined && { seed: 1 }) },
  )
  expect(count).toBeGreaterThan(runs / 8)
})

test.each([
  ['tables and lists', 'auth:\n  roles:\n    guard:\n      - yard\n      - office\n'],
  ['a list that is not indented', 'cameras:\n- yard\n- office\nb: 1\n'],
  ['tables in a list', 'hours:\n  - days:\n      - mon\n    from: 07:00\n  -   days: [fri]\n      to: 19:00\n'],
  ['a list on one line', 'guard: [ yard, "north door", side_yard ]\n'],
  ['a table on one line', "cameras: { yard: { source: 'rtsp://cam/1', enabled: false }, a: {} }\n"],
  ['a list on several lines, as an edit saves it', 'guard:\n  [\n    yard,\n    office\n  ]\nb: 1\n'],
  ['comments and blank lines', '# top\n\na: # of a\n  # of b\n  b: 1 # one\n\n# end\nc: "#"\n'],
  ['line breaks of Windows', 'a:\r\n  - b\r\n  - c # d\r\n'],
  ['no line break at the end', 'a:\n  - b'],
  ['no value', 'a:\nb:\n  c:\nd: 1\n'],
  ['other letters', 'Überblick: Straße\ntitle: 北门\u00a01\u2028\n'],
  ['numbers and words', 'a: 1\nb: 1.5\nc: true\nd: ~\ne: null\nf: 0x1f\ng: 007\n1: -5\n'],
  ['a URL with a placeholder', 'source: rtsp://{SERVICE_CAM_USER}:{SERVICE_CAM_PASSWORD}@192.0.2.7:554/a?b=1&c=2#x\n'],
])('a text is simple with %s', (_what, text) => {
  const simple = readSimpleText(text)
  expect(simple).toBeDefined()
  expect(comparable(simple)).toEqual(comparable(parsed(text)))
})

const deep = (open: string, close: string) => `a: ${open.repeat(5000)}${close.repeat(5000)}\n`

test.each([
  ['an anchor and an alias', 'a: &x [b]\nc: *x\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a merge key', '<<: { a: 1 }\n'],
  ['a block of text', 'a: |\n  - b\n  - c\n'],
  ['a plain value on two lines', 'a: b\n  - c\n  - d\n'],
  ['a value in quotes on two lines', 'a: "b\n  - c"\n'],
  ['an escape', 'a: "\\u0061ll"\n'],
  ['a doubled quote', "a: 'it''s'\n"],
  ['a value below its name', 'a:\n  b\n'],
  ['a list in a list', 'a:\n  - - b\n'],
  ['an empty item', 'a:\n  -\n  - b\n'],
  ['a question mark', '? a\n: b\n'],
  ['a name that is a list', '[a]: b\n'],
  ['a key without a value in braces', 'a: { b, c: 1 }\n'],
  ['keys without values in braces', 'a: { b, c }\n'],
  ['a key in brackets', 'a: [b: c]\n'],
  ['a colon at the end in brackets', 'a: [b:]\n'],
  ['a colon at the end in braces', 'a: { b: c:}\n'],
  ['a value of two words with a colon', 'a: b: c\n'],
  ['a bracket that closes too far to the left', 'a:\n  b: [c,\n  d]\n'],
  ['text behind a bracket', 'a: [b] c\n'],
  ['text behind quotes', 'a: "b" c\n'],
  ['a comment without a space', 'a: "b"#c\n'],
  ['a key too far to the right', 'a:\n  b: 1\n    c: 2\n'],
  ['a key too far to the left', 'a:\n    b: 1\n  c: 2\n'],
  ['an item too far to the left', 'a:\n    - b\n  - c\n'],
  ['an item between keys', 'a: 1\n- b\nc: 2\n'],
  ['a list alone', '- a\n'],
  ['a value alone', 'a\n'],
  ['nothing', ''],
  ['only comments', '# a\n'],
  ['the start of a document', '---\na: b\n'],
  ['a second document', 'a: b\n---\na: c\n'],
  ['the end of a document', 'a: b\n...\n'],
  ['a directive', '%YAML 1.1\n---\na: yes\n'],
  ['a byte order mark', '\ufeffa: b\n'],
  ['a tab as indentation', 'a:\n\tb: 1\n'],
  ['a tab behind a value', 'a: b\t\n'],
  ['a control character', 'a: b\u0000\n'],
  ['another control character', 'a: b\u007f\n'],
  ['a lone carriage return', 'a: b\rc: d\n'],
  ['a long name', `${'a'.repeat(1025)}: b\n`],
  ['a long name in quotes', `"${'a'.repeat(1025)}": b\n`],
  ['thousands of brackets', deep('[', ']')],
  ['thousands of braces', deep('{ a: ', '}')],
  ['a thousand levels', Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
])('a text is left to the YAML parser with %s', (_what, text) => {
  expect(readSimpleText(text)).toBeUndefined()
})
