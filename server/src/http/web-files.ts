import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Client } from '../shared/request-meta.ts'
import { IncomingRequestMeta } from './request-meta.ts'
import { pathOf } from './path.ts'

const notBuilt = '<!doctype html><title>Gatehouse</title><p>The web UI is not built: run <code>npm run build</code>.'

export interface WebFiles {
  /** Lets a listener send files; once for each. */
  readonly register: (app: FastifyInstance) => Promise<void>
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * The built UI. Only files that the build wrote are ever sent, so that no path leads anywhere else; any other path gets
 * the index page, which finds out by itself what to show. A build that replaces it while the service runs is taken up.
 *
 * @param root the folder that `vite build` wrote.
 */
export function createWebFiles(root: string, clientOf: (meta: IncomingRequestMeta) => Client): WebFiles {
  let built = buildAt(root)

  return {
    async register(app) {
      await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    },
    async answer(request, reply) {
      const name = fileNamed(pathOf(request.url))
      // Only configured and checked paths: nothing in one ends an attribute, or a text of JSON.
      const base = () => clientOf(new IncomingRequestMeta(request.raw)).basePath
      if (name === manifest && built.app !== undefined) {
        // Two below one host are two apps: an app is known by its id, which is relative to the host alone.
        const app = built.app.replace(/"id": "[^"]*"/, `"id": "${base()}"`)
        return reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8').send(app)
      }
      if (name !== indexPage && built.files.has(name)) {
        // Hashed by the build, and so never another file under that name.
        const forEver = name.startsWith('assets/')
        return reply
          .header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
          .sendFile(name)
      }
      if (builtAt(root) !== built.at) built = buildAt(root)
      const page = built.index.replace(/<base href="[^"]*"/, `<base href="${base()}"`)
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
    },
  }
}

const indexPage = 'index.html'
const manifest = 'manifest.webmanifest'

interface Build {
  /** When it was built, Unix milliseconds; 0 for never. */
  readonly at: number
  /** Paths below the root. */
  readonly files: ReadonlySet<string>
  readonly index: string
  /** The manifest. */
  readonly app: string | undefined
}

function buildAt(root: string): Build {
  const at = builtAt(root)
  if (at === 0) return { at, files: new Set(), index: notBuilt, app: undefined }
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const textOf = (name: string) => readFileSync(join(root, name), 'utf8')
  return {
    at,
    files: new Set(files),
    index: textOf(indexPage),
    app: files.includes(manifest) ? textOf(manifest) : undefined,
  }
}

const builtAt = (root: string): number => statSync(join(root, indexPage), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Every path that comes here was found readable before. */
const fileNamed = (path: string): string => decodeURIComponent(path).slice(1)
