import type { Plugin } from 'vite'
import { catalogNames, fileOf, folder, languageTags, readCatalog } from './catalogs.ts'
import { compileCatalog } from './compile.ts'

const prefix = 'virtual:messages'
const resolved = `\0${prefix}`

/** The module id of a compiled catalog, as the bundler knows it. */
export const moduleOf = (tag: string, name: string): string => `${resolved}/${tag}/${name}`

/** The languages and catalogs, each as a function that imports it. */
function listOfCatalogs(): string {
  const rows = languageTags.map((tag) => {
    const loads = catalogNames.map((name) => `${JSON.stringify(name)}: () => import('${prefix}/${tag}/${name}')`)
    return `${JSON.stringify(tag)}: { ${loads.join(', ')} }`
  })
  return `export const catalogs = { ${rows.join(', ')} }\n`
}

/**
 * Compiles the ICU messages of `web/src/i18n` into modules: `virtual:messages` imports each catalog of each language
 * when it is needed, as `virtual:messages/<tag>/<catalog>`. The parser stays in the build.
 */
export function messages(): Plugin {
  return {
    name: 'messages',
    resolveId(id) {
      return id === prefix || id.startsWith(`${prefix}/`) ? `\0${id}` : undefined
    },
    load(id) {
      if (id === resolved) return listOfCatalogs()
      if (!id.startsWith(`${resolved}/`)) return undefined
      const [tag = '', name = ''] = id.slice(resolved.length + 1).split('/')
      this.addWatchFile(fileOf(tag, name))
      return compileCatalog(readCatalog(tag, name), readCatalog('en', name), tag, `${folder}/formats.ts`)
    },
    hotUpdate({ file }) {
      const [tag, name] = /\/([\w-]+)\/([\w-]+)\.json$/.exec(file)?.slice(1) ?? []
      const changed =
        tag && name && file === fileOf(tag, name) && this.environment.moduleGraph.getModuleById(moduleOf(tag, name))
      return changed ? [changed] : undefined
    },
  }
}
