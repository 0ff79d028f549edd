import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDemo } from './demo.ts'

test('files of older editions of a scene go, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const demo = createDemo({ ffmpeg: '/nowhere', folder })
  const put = (name: string): void => writeFileSync(join(folder, name), '')
  const made = ['yard-3.mp4', 'door-3.mp4']
  const others = [
    'door-1.mp4',
    'yard-99.mp4',
    'yard-0.mp4',
    'yard-2.mp4.bak',
    'my-yard-2.mp4',
    'yard-2-1.mp4',
    'film.mp4',
  ]
  for (const name of [...made, 'yard-1.mp4', 'yard-2.mp4', ...others]) put(name)

  expect(basename(await demo.fileOf('yard'))).toBe('yard-3.mp4')
  expect(readdirSync(folder).sort()).toEqual([...made, ...others].sort())
  await demo.fileOf('door')
  expect(readdirSync(folder)).not.toContain('door-1.mp4')
})
