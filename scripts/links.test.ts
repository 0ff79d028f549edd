import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = ['*.md', 'attacks/*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** A page's links, except those to other sites. */
const linksOf = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\(<?([^)\s>]+)>?\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^[a-z]+:/i.test(link))

/** The anchors of a page's headings, as GitHub generates them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** The paths of source files, and of folders from the root of the repository, in a text's backticks. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    [...code.matchAll(sourcePath)].map(([found]) => found).filter((found) => !/^(?:server|web)\/dist\b/.test(found)),
  )
const sourcePath =
  /(?<![\w./-])(?:(?:attacks|bench|docs|e2e|packaging|scripts|server|web)\/[\w./-]+|[\w-][\w./-]*\/[\w.-]+\.(?:css|mjs|tsx?))(?![\w<*{/-])/g

/** Paths from the root, or from a folder of sources: `users/user.ts`. */
const exists = (path: string): boolean =>
  ['.', 'server/src', 'web/src'].some((folder) => existsSync(join(root, folder, path)))

/** @returns what is wrong with a link; undefined if nothing is. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path))
  if (!existsSync(join(root, target))) return `${page}: ${link} leads to no file`
  if (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return undefined
  return `${page}: ${link} leads to no heading`
}

test('every link between the documents leads to an existing file and heading', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => [page, link] as const))
  expect(links.length).toBeGreaterThan(30)
  expect(links.map(([page, link]) => problemOf(page, link)).filter((problem) => problem !== undefined)).toEqual([])
})

test('a page that the README links to lists what the product does not do yet', () => {
  expect(linksOf('README.md')).toContain('docs/limitations.md')
})

test('every path of a source file in the documents exists', () => {
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => pathsIn(textOf(page)).map((path) => [page, path] as const))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(([, path]) => !exists(path)).map(String)).toEqual([])
  expect(
    pathsIn('`server/src/a.ts` server/b.ts `node e2e/c.ts` `users/d.ts` `web/e` `web/src/<page>/*.ts` `/opt/f.ts`'),
  ).toEqual(['server/src/a.ts', 'e2e/c.ts', 'users/d.ts', 'web/e'])
})
