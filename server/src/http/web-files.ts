import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Client } from '../shared/knock.ts'
import { RequestKnock } from './knock.ts'
import { pathOf } from './path.ts'

const notBuilt = '<!doctype html><title>Gatehouse</title><p>The web UI is not built: run <code>npm run build</code>.'

export interface WebFiles {
  /** Lets a listener send files; once for each. */
  readonly register: (app: FastifyInstance) => Promise<void>
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * The built UI. Only files that were there at start are ever sent, so that no path leads anywhere else;
 * any other path gets the index page, which finds out by itself what to show.
 *
 * @param root the folder that `vite build` wrote.
 */
export function createWebFiles(root: string, clientOf: (knock: RequestKnock) => Client): WebFiles {
  const files = new Set(
    existsSync(root)
      ? readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      : [],
  )
  const index = files.has('index.html') ? readFileSync(join(root, 'index.html'), 'utf8') : notBuilt
  const pages = new Map<string, string>()

  /** The index page for a base path; only configured and safe ones come here. */
  const pageFor = (basePath: string): string => {
    let page = pages.get(basePath)
    if (page === undefined) {
      page = index.replace(/<base href="[^"]*"/, `<base href="${basePath}"`)
      if (pages.size < 16) pages.set(basePath, page)
    }
    return page
  }

  return {
    async register(app) {
      if (files.size > 0)
        await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    },
    async answer(request, reply) {
      const name = fileNamed(pathOf(request.url))
      if (name !== 'index.html' && files.has(name)) {
        // Hashed by the build, and so never another file under that name.
        const forEver = name.startsWith('assets/')
        return reply
          .header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
          .sendFile(name)
      }
      const { basePath } = clientOf(new RequestKnock(request.raw))
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(pageFor(basePath))
    },
  }
}

/** Every path that comes here was found readable before. */
const fileNamed = (path: string): string => decodeURIComponent(path).slice(1)
