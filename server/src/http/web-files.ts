import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Client } from '../shared/http/request-meta.ts'

const notBuilt = '<!doctype html><title>Gatehouse</title><p>The web UI is not built: run <code>npm run build</code>.'

/** A request for a page or an asset. */
export interface PageRequest {
  /** A safe path, without the base path and the query. */
  readonly path: string
  readonly client: Pick<Client, 'basePath'>
}

export interface WebFiles {
  /** Registers file serving on a listener. Call once per listener. */
  readonly register: (app: FastifyInstance) => Promise<void>
  readonly respond: (request: PageRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * Serves the built UI. Only files written by the build are sent, so no path leads outside its folder; any other path
 * gets the index page, which does its own routing. A new build is picked up while the service runs.
 *
 * @param root the output folder of `vite build`.
 */
export function createWebFiles(root: string): WebFiles {
  let built = buildAt(root)

  return {
    async register(app) {
      await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    },
    async respond(request, reply) {
      const name = fileNamed(request.path)
      // Base paths are configured and validated, so none can end an HTML attribute or a JSON string.
      const base = () => request.client.basePath
      if (name === manifest && built.app !== undefined) {
        // Two services below one host are two apps: an app's id is relative to the host and must be unique there.
        const app = built.app.replace(/"id": "[^"]*"/, `"id": "${base()}"`)
        return reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8').send(app)
      }
      if (name !== indexPage && built.files.has(name)) {
        // Asset names contain a hash, so their content never changes.
        const isImmutable = name.startsWith('assets/')
        return reply
          .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
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
  /** Build time, Unix milliseconds; 0 if never built. */
  readonly at: number
  /** Paths relative to the root. */
  readonly files: ReadonlySet<string>
  readonly index: string
  /** The text of the web app manifest. */
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

/** Safe to decode: the path has passed `isSafePath`. */
const fileNamed = (path: string): string => decodeURIComponent(path).slice(1)
