import { expect, test } from 'vitest'
import { createImports } from './imports.ts'

test('files that are imported at run time, through others and in a cycle', () => {
  const files = new Map([
    ['a/a.test.ts', "import { test } from 'vitest'\nimport { b } from './b.ts'\nimport type { D } from '../d.ts'"],
    ['a/b.ts', "export * from '../c.ts'\nexport type { D } from '../d.ts'\nexport const b = 1"],
    ['c.ts', "import { b } from './a/b.ts'"],
    ['d.ts', ''],
  ])
  const imports = createImports((file) => files.get(file))
  expect([...imports.of('a/a.test.ts')].sort()).toEqual(['a/a.test.ts', 'a/b.ts', 'c.ts'])
})

test('the hash of a test changes with each file that it imports at run time, and with no other', () => {
  const files = new Map([
    ['a.test.ts', "import './b.ts'"],
    ['b.ts', "import './c.ts'"],
  ])
  const hashWith = (changed?: string) =>
    createImports((file) => `${files.get(file) ?? ''}\n${file === changed ? 'changed()' : ''}`).hashOf('a.test.ts')
  const changes = ['a.test.ts', 'b.ts', 'c.ts', 'd.ts'].filter((file) => hashWith(file) !== hashWith())
  expect(changes).toEqual(['a.test.ts', 'b.ts', 'c.ts'])
})
