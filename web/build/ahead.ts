import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { languageTags } from '../messages/catalogs.ts'
import { moduleOf } from '../messages/plugin.ts'

/** Pages that are opened by URL, with the modules and the texts that each would otherwise fetch one after another. */
const openedFirst: readonly (readonly [page: string, modules: readonly string[], texts: readonly string[]])[] = [
  ['login', ['session/sign-in/LoginPage.tsx'], ['login']],
  ['', ['app/AppShell.tsx', 'live/LivePage.tsx'], ['live', 'reasons', 'shortcuts']],
  [
    'cameras/',
    ['app/AppShell.tsx', 'live/camera/CameraPage.tsx'],
    ['live', 'reasons', 'shortcuts', 'storage', 'system'],
  ],
  ['s/', ['shared-link/SharedLinkPage.tsx'], ['playback', 'shared-link']],
  ['settings/', ['app/AppShell.tsx', 'app/settings/SettingsFrame.tsx'], ['settings']],
  ['settings/users', ['settings/users/UsersPage.tsx'], ['account', 'roles', 'users']],
]

/** Writes `ahead.js`, which preloads all of these in parallel. Its tag follows <base>, like every other. */
export const ahead = (root: string): Plugin => ({
  name: 'ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './ahead.js', async: true }, injectTo: 'head' }],
  },
  // After Vite has assigned styles to chunks.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const filesOf = (chunk: Rolldown.OutputChunk, found: Set<string>): Set<string> => {
        if (found.has(chunk.fileName)) return found
        found.add(chunk.fileName)
        for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
        for (const name of chunk.imports) {
          const next = named.get(name)
          if (next) filesOf(next, found)
        }
        return found
      }
      const main = chunks.find(({ isEntry }) => isEntry)
      if (!main) throw new Error('the build has no entry')
      const already = filesOf(main, new Set())
      const chunkOf = (module: string) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
        if (!chunk) throw new Error(`ahead: ${module} has no chunk`)
        return chunk
      }
      const pages = openedFirst.map(([page, modules, texts]) => {
        const found = new Set<string>()
        for (const module of modules) filesOf(chunkOf(join(root, 'src', module)), found)
        return [page, [...found].filter((file) => !already.has(file)), texts]
      })
      const preloaded = new Set(['common', ...openedFirst.flatMap(([, , texts]) => texts)])
      const texts = Object.fromEntries(
        languageTags.map((tag) => [
          tag,
          Object.fromEntries([...preloaded].map((name) => [name, chunkOf(moduleOf(tag, name)).fileName])),
        ]),
      )
      const source = readFileSync(join(root, 'ahead.js'), 'utf8')
        .replace('__PAGES__', JSON.stringify(pages))
        .replace('__TEXTS__', JSON.stringify(texts))
      this.emitFile({ type: 'asset', fileName: 'ahead.js', source })
    },
  },
})
