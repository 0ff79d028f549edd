import { expect, test } from 'vitest'
import { room, settingsOf } from '../../test/support/cameras-alone.ts'

test('[CAM-4] [NODE-1] a camera that replaced another one of its name in one step has its own consumers, and none of the former viewers', async () => {
  const keys = new Map([['yard', 'yard']])
  const keyOf = (name: string) => keys.get(name) ?? name
  const resolved: string[] = []
  const consumersOf = (name: string) => (resolved.push(keyOf(name)), [])
  const { cameras } = room({ yard: 'demo:yard', door: 'demo:door' }, { ffmpeg: undefined, keyOf, consumersOf })
  const closed: string[] = []
  const watch = (name: string) =>
    cameras.watch(
      name,
      { waiting: 0, send() {}, onClose() {}, close: (code) => void closed.push(`${name} ${code}`) },
      true,
    )
  watch('yard')
  watch('door')

  keys.set('yard', 'yard~2')
  cameras.apply(settingsOf({ yard: 'demo:office', door: 'demo:door' }))
  expect(resolved).toEqual(['yard', 'door', 'yard~2'])
  await expect.poll(() => closed).toEqual(['yard 1001'])
  expect(cameras.sourceOf('yard')).toBe('demo:office')

  watch('yard')
  cameras.apply(settingsOf({ yard: 'demo:door', door: 'demo:door' }))
  expect(resolved).toHaveLength(3)
  expect(closed).toHaveLength(1)
  expect(cameras.view('yard').state).not.toBe('disabled')
})
