import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'

test('files that are imported at run time, through others and in a cycle', () => {
  const files = new Map([
    ['a/a.test.ts', "import { test } from 'vitest'\nimport { b } from './b.ts'\nimport type { D } from '../d.ts'"],
    ['a/b.ts', "export * from '../c.ts'\nexport type { D } from '../d.ts'\nexport const b = 1"],
    ['c.ts', "import { b } from './a/b.ts'"],
    ['d.ts', ''],
  ])
  const imports = importsOf('a/a.test.ts', (file) => files.get(file), new Map())
  expect([...imports].sort()).toEqual(['a/a.test.ts', 'a/b.ts', 'c.ts'])
})
