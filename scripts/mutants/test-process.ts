// A process that runs a list of tries. The caller reads the journal, and ends the process if a mutant never ends.
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import type { Plugin } from 'vite'
import { createVitest, type TestSpecification } from 'vitest/node'
import config from '../../vitest.config.ts'
import type { TestFile } from './measured-test.ts'
import { projects } from './projects.ts'
import { readSources, root } from './sources.ts'
import { switchedSource } from './switched.ts'
import type { Try } from './tries.ts'

export type Request = 'list' | { readonly tries: readonly Try[]; readonly journal: string }

const sources = new Map(readSources().map((source) => [source.file, source]))

const plugin: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(text, id) {
    const source = sources.get(relative(root, id.split('?', 1)[0] ?? id))
    return source ? { code: switchedSource(source, text), map: null } : null
  },
}

/** Runs files in the order in which they are given. */
class InOrder {
  sort = (files: TestSpecification[]): TestSpecification[] => files
  shard = (files: TestSpecification[]): TestSpecification[] => files
}

// A test that fails only because it waits should not wait long.
const limitsOf = (project: string) => {
  const milliseconds = project.startsWith('unit') ? 10_000 : 20_000
  return { testTimeout: milliseconds, hookTimeout: 20_000, expect: { poll: { timeout: 8_000 } } }
}
const own = {
  isolate: false,
  maxWorkers: 1,
  fsModuleCache: false,
  runner: join(import.meta.dirname, 'vitest-runner.ts'),
}

const vitest = await createVitest(
  {
    config: false,
    root,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    silent: true,
    fsModuleCache: false,
    sequence: { sequencer: InOrder },
  },
  {
    test: {
      projects: (config.test?.projects ?? []).flatMap((project) => {
        if (typeof project !== 'object' || !('test' in project)) return []
        const name = project.test?.name
        if (typeof name !== 'string' || !projects.includes(name)) return []
        return [
          {
            ...project,
            plugins: [plugin, ...(project.plugins ?? [])],
            test: { ...project.test, ...limitsOf(name), ...own },
          },
        ]
      }),
    },
  } as never,
)

/**
 * @param tries of one project: each project has its own worker
 * @returns the first error outside of a test
 */
async function run({ tries, journal }: Exclude<Request, 'list'>): Promise<string | undefined> {
  const [first] = tries
  if (!first) return undefined
  const project = vitest.getProjectByName(first.project)
  project.provide('tries', tries)
  project.provide('journal', journal)
  const specifications = tries.flatMap(({ file, tests }) => {
    const options = tests ? { testIds: [...tests] } : undefined
    return [1, 2].map(() => project.createSpecification(join(root, file), options))
  })
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return unhandledErrors.length > 0 ? inspect(unhandledErrors[0]) : undefined
}

async function allTests(): Promise<TestFile[]> {
  const specifications = await vitest.globTestSpecifications()
  return specifications.map(({ project, moduleId }) => ({ project: project.name, file: relative(root, moduleId) }))
}

process.on('message', (request: Request) => {
  const reply = request === 'list' ? allTests() : run(request)
  reply.then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: inspect(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ value: 'ready' })
