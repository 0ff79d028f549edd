import { stopAll } from '../../server/test/support/cleanups.ts'
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { layerOf, writeLayout } from './oci-layout.ts'

const scratch = temporaryFolder()
afterAll(stopAll)

/** A folder with the same files, made at another time and in another order. */
function folderOf(name: string, order: readonly string[]): string {
  const folder = join(scratch, name)
  for (const file of order) {
    const path = join(folder, file)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, file)
    chmodSync(path, 0o644)
    utimesSync(path, order.length, statSync(path).mtimeMs / 1000)
  }
  for (const path of [folder, join(folder, 'a'), join(folder, 'config')]) chmodSync(path, 0o755)
  return folder
}

const owned = { user: 1000, folders: ['config'] }

test('a layer is the same, byte for byte, when it is built again', () => {
  const [one, other] = [folderOf('one', ['a/x', 'a/y', 'config/z']), folderOf('other', ['config/z', 'a/y', 'a/x'])]
  expect(layerOf(one, 1000, 6, owned)).toEqual(layerOf(other, 1000, 6, owned))
})

test('everything in it belongs to root but the folders of a user', () => {
  const { bytes, diffId } = layerOf(folderOf('listed', ['a/x', 'config/z']), 1000, 6, owned)
  const archive = gunzipSync(bytes)
  expect(diffId).toBe(`sha256:${createHash('sha256').update(archive).digest('hex')}`)
  const list = spawnSync('tar', ['--list', '--verbose', '--numeric-owner'], { input: archive, encoding: 'utf8' }).stdout
  const lines = list
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  expect(Object.fromEntries(lines.map(([, owner, , , , path]) => [path, owner]))).toEqual({
    './config/': '1000/1000',
    './config/z': '1000/1000',
    './': '0/0',
    './a/': '0/0',
    './a/x': '0/0',
  })
})

test('a layout names each blob by its digest, and one tag has the images of all architectures', () => {
  const layers = [layerOf(folderOf('layer', ['a/x', 'config/z']), 1000, 6)]
  const folder = join(scratch, 'layout')
  const config = { User: '1000:1000' }
  const image = (tag: string, architecture: 'amd64' | 'arm64') => ({ tag, architecture, layers, config })
  writeLayout(folder, [image('latest', 'amd64'), image('other', 'amd64'), image('latest', 'arm64')], 1000)
  for (const file of globSync('blobs/sha256/*', { cwd: folder })) {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
    expect(basename(file)).toBe(digest)
  }
  interface Index {
    readonly manifests: readonly { digest: string; platform?: object; annotations?: Record<string, string> }[]
  }
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Index
  const { manifests } = read('index.json')
  expect(manifests.map(({ annotations }) => annotations!['org.opencontainers.image.ref.name'])).toEqual([
    'latest',
    'other',
  ])
  const latest = read(join('blobs', manifests[0]!.digest.replace(':', '/')))
  expect(latest.manifests.map(({ platform }) => platform)).toEqual([
    { architecture: 'amd64', os: 'linux' },
    { architecture: 'arm64', os: 'linux' },
  ])
})
