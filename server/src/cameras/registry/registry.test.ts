import { describe, expect, test } from 'vitest'
import { sourceIdentity } from './source-identity.ts'
import { confirmedIn, emptyRegistry, firstRegistry, liveIn, nextRegistry } from './registry.ts'
import type { Configured, Registry } from './registry.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

/** Cameras by name: a source, or one with `+` for `inherit: true`. */
type Cameras = Readonly<Record<string, string>>
type Roles = Readonly<Record<string, readonly string[]>>

const configured = (cameras: Cameras, roles: Roles = {}): Configured => ({
  cameras: new Map(
    Object.entries(cameras).map(([name, source]) => [
      name,
      { source: source.replace('+', ''), inherit: source.endsWith('+') },
    ]),
  ),
  roles: new Map(Object.entries(roles)),
})

/** The registry after one configuration after another, the first of them at a first start. */
function after(
  steps: readonly (readonly [Cameras, Roles?])[],
  { stored = [] }: { stored?: readonly string[] } = {},
): Registry {
  let keys = 0
  let now = 0
  const [[cameras, roles] = [{}], ...later] = steps
  const begun = firstRegistry(configured(cameras, roles), stored.map(cameraKey), ++now)
  return later.reduce(
    (registry, step) =>
      nextRegistry(registry, configured(step[0], step[1]), {
        now: ++now,
        isStored: (key) => stored.includes(key),
        newKey: (name) => cameraKey(`${name}~${++keys}`),
      }),
    begun,
  )
}

const guard = { guard: ['yard'] }

describe('[CAM-4] the camera that a name has', () => {
  test.each<[what: string, steps: (readonly [Cameras, Roles?])[], key: string, withheld: string[]]>([
    ['at the first start', [[{ yard: 'a' }, guard]], 'yard', []],
    [
      'with another source',
      [
        [{ yard: 'a' }, guard],
        [{ yard: 'b' }, guard],
      ],
      'yard',
      [],
    ],
    [
      'back with its source',
      [
        [{ yard: 'a' }, guard],
        [{}, guard],
        [{ yard: 'a' }, guard],
      ],
      'yard',
      [],
    ],
    [
      'added again with another source',
      [
        [{ yard: 'a' }, guard],
        [{}, guard],
        [{ yard: 'b' }, guard],
      ],
      'yard~1',
      ['guard'],
    ],
    [
      'the same, and it inherits',
      [
        [{ yard: 'a' }, guard],
        [{}, guard],
        [{ yard: 'b+' }, guard],
      ],
      'yard',
      [],
    ],
    [
      'the first source after a second',
      [
        [{ yard: 'a' }, guard],
        [{}, guard],
        [{ yard: 'b' }, guard],
        [{}, guard],
        [{ yard: 'a' }, guard],
      ],
      'yard',
      [],
    ],
    [
      'the second source again',
      [
        [{ yard: 'a' }, guard],
        [{}, guard],
        [{ yard: 'b' }, guard],
        [{}, guard],
        [{ yard: 'b' }, guard],
      ],
      'yard~1',
      ['guard'],
    ],
    ['a third source', [[{ yard: 'a' }], [{}], [{ yard: 'b' }], [{}], [{ yard: 'c' }]], 'yard~2', []],
    [
      'a third that inherits: of the last one',
      [[{ yard: 'a' }], [{}], [{ yard: 'b' }], [{}], [{ yard: 'c+' }]],
      'yard~1',
      [],
    ],
    ['a role that lists it from the same save on', [[{ yard: 'a' }], [{}], [{ yard: 'b' }, guard]], 'yard~1', []],
    [
      'a role that was deleted and created again',
      [[{ yard: 'a' }, guard], [{}, guard], [{}], [{ yard: 'b' }, guard]],
      'yard~1',
      [],
    ],
    [
      'a name that only a role had',
      [
        [{}, guard],
        [{ yard: 'a' }, guard],
      ],
      'yard',
      ['guard'],
    ],
    ['a new name, with its role', [[{}], [{ yard: 'a' }, guard]], 'yard', []],
    [
      'a role that stops and begins to list it',
      [[{}, guard], [{ yard: 'a' }, guard], [{ yard: 'a' }], [{ yard: 'a' }, guard]],
      'yard',
      ['guard'],
    ],
    ['a role that lists it later', [[{}], [{ yard: 'a' }], [{ yard: 'a' }, guard]], 'yard', []],
    [
      'said later to inherit',
      [
        [{}, guard],
        [{ yard: 'a' }, guard],
        [{ yard: 'a+' }, guard],
      ],
      'yard',
      [],
    ],
    [
      'renamed, and the name given on',
      [
        [{ yard: 'a', door: 'b' }, guard],
        [{ shed: 'a', door: 'b' }, guard],
        [{ shed: 'a', yard: 'b' }, guard],
      ],
      'yard~1',
      ['guard'],
    ],
  ])('%s', (_what, steps, key, withheld) => {
    expect(liveIn(after(steps), 'yard')).toMatchObject({ key, withheld })
  })

  test('has nothing that lies under its name from before', () => {
    const options = { stored: ['yard', 'shed'] }
    expect(liveIn(after([[{}], [{ yard: 'a' }]], options), 'yard')?.key).toBe('yard~1')
    // What was there before there was a registry.
    expect(after([[{ yard: 'a' }]], options).cameras).toMatchObject([
      { key: 'yard', removedAt: null },
      { key: 'shed', removedAt: 1 },
    ])
  })

  test('is granted to the role that an admin names, and to no other', () => {
    const roles = { guard: ['yard'], porter: ['yard', 'door'] }
    const before = after([
      [{}, roles],
      [{ yard: 'a', door: 'b' }, roles],
    ])
    expect(liveIn(confirmedIn(before, 'porter', ['yard']), 'yard')?.withheld).toEqual(['guard'])
    expect(liveIn(confirmedIn(before, 'porter', ['yard']), 'door')?.withheld).toEqual(['porter'])
    expect(confirmedIn(emptyRegistry, 'guard', ['yard'])).toEqual(emptyRegistry)
  })
})

describe('[CAM-4] a source is the same', () => {
  const base = 'rtsp://192.0.2.7/stream1?channel=2'
  test.each([
    base,
    'rtsp://user:secret@192.0.2.7/stream1?channel=2',
    'rtsp://192.0.2.7:554/stream1?channel=2',
    'RTSP://192.0.2.7/stream1?channel=2&user=admin&password=x',
  ])('whatever its credentials: %s', (source) => {
    expect(sourceIdentity(source)).toBe(sourceIdentity(base))
  })
  test.each([
    'rtsp://192.0.2.8/stream1?channel=2',
    'rtsp://192.0.2.7:8554/stream1?channel=2',
    'rtsp://192.0.2.7/stream2?channel=2',
    'rtsp://192.0.2.7/stream1?channel=1',
    'rtsp://192.0.2.7/stream1',
    'rtsps://192.0.2.7/stream1?channel=2',
    'demo:yard',
    'file:clips/yard.mp4',
  ])('and another with another host, port, path or channel: %s', (source) => {
    expect(sourceIdentity(source)).not.toBe(sourceIdentity(base))
  })
})
