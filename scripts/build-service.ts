/**
 * Builds the service: everything that it and the command `gatehouse` load, packages included, becomes a few files.
 * Loading 2,300 modules one by one is more than half of a start.
 *
 *     node scripts/build-service.ts <folder>
 *
 * The folder is a sibling of `server/src`.
 */
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

const root = resolve(import.meta.dirname, '..')
const [folder = 'server/dist'] = process.argv.slice(2)

/** Packages that are only loaded when they are needed, and then from their own folder, as without a build. */
const loadedOnDemand = [
  /^@fastify\/swagger$/,
  /^@peculiar\//,
  /^@simplewebauthn\/server$/,
  /^@zxcvbn-ts\//,
  /^pg$/,
  /^pino-pretty$/,
  /^reflect-metadata$/,
]

/** Files that a module names relative to itself (programs, threads, lists) are still those next to its source. */
const sourceLocations: Plugin = {
  name: 'source-locations',
  transform: {
    filter: { id: /\/server\/src\/.*\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      const source = `../${relative(join(root, 'server'), id)}`
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(source)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
    },
  },
}

const build = await rolldown({
  input: { service: 'server/src/main.ts', command: 'server/src/cli/run-command.ts' },
  cwd: root,
  platform: 'node',
  external: loadedOnDemand,
  plugins: [sourceLocations],
  // Nothing about how long it took on a busy machine.
  checks: { bundlerTimings: false },
})
await build.write({
  dir: resolve(root, folder),
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunk-[hash].mjs',
  // The names of classes are in the log.
  keepNames: true,
  comments: false,
  // V8 keeps the text of the code, with two bytes for each character if there is one beyond Latin-1.
  charset: 'ascii',
})
await build.close()
