import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../src/app/config/load-config.ts'
import { readTrustedHeaders } from '../src/auth/config/trusted-headers.ts'
import { problemLines } from '../src/config/problem-collector.ts'

const root = resolve(import.meta.dirname, '../..')
const lists = await Promise.all(
  ['server', 'packaging/home-assistant'].map((folder) =>
    readTrustedHeaders({ TRUSTED_HEADERS_FILE: join(root, folder, 'trusted_headers.conf') }),
  ),
)
/** With those that a guide says to list. */
const names = new Set([...lists.flatMap((list) => [...list.names]), 'x-authentik-username', 'x-authentik-groups'])
const load = (text: string) =>
  loadConfig(text, { mediaDir: '/media', trustedHeaders: { names, file: '' }, lookup: () => 'a'.repeat(64) })

const sections = new Set(Object.keys(load('logger: {}').config!))
const guides = join(root, 'docs/guides')
const blocks = readdirSync(guides).flatMap((page) => {
  const text = readFileSync(join(guides, page), 'utf8')
  return (
    [...text.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)]
      .map(({ 1: indent = '', 2: block = '', index }) => ({
        place: `${page}:${text.slice(0, index).split('\n').length}`,
        block: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }))
      // Those of other programs have other sections; Traefik's begins with one of the same name.
      .filter(({ block }) => Object.keys((parse(block) ?? {}) as object).every((key) => sections.has(key)))
      .filter(({ block }) => !block.includes('middlewares:'))
  )
})

test.each(blocks)('[CONF-2] the block at $place has no problem as it is', ({ block }) => {
  expect(problemLines('config.yml', load(block).problems)).toEqual([])
})
