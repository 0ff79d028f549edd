import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durationOf } from '../mp4/duration.ts'
import { demoFile } from './demo.ts'

const scenes = ['yard', 'door', 'office'] as const

test.each(scenes)(
  'the script of %s shows parts that its video has, cut where frames and audio begin',
  async (scene) => {
    const [first, ...lines] = readFileSync(demoFile(scene), 'utf8').trim().split('\n')
    expect(first).toBe('ffconcat version 1.0')
    const duration = (await durationOf(join(demoFile(scene), `../${scene}.mp4`)))!
    let shown = 0
    for (let line = 0; line < lines.length; line += 3) {
      const [file, from, to] = lines.slice(line, line + 3)
      expect(file).toBe(`file ${scene}.mp4`)
      const [inpoint, outpoint] = [
        Number(/^inpoint (\d+)$/.exec(from!)?.[1]),
        Number(/^outpoint (\d+)$/.exec(to!)?.[1]),
      ]
      // A key frame begins every second; 125 AAC frames last four seconds.
      expect([inpoint % 4, outpoint % 4]).toEqual([0, 0])
      expect(outpoint).toBeGreaterThan(inpoint)
      expect(outpoint).toBeLessThanOrEqual(duration)
      shown += outpoint - inpoint
    }
    expect(shown).toBeGreaterThanOrEqual(240)
  },
)

test('a scene takes at most half a megabyte', () => {
  for (const scene of scenes) expect(statSync(join(demoFile(scene), `../${scene}.mp4`)).size).toBeLessThan(500_000)
})
