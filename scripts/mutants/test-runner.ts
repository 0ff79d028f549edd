// A process that runs test files against one mutant after another. The caller ends it if a mutant never ends.
import { join, relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import type { Plugin } from 'vite'
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node'
import config from '../../vitest.config.ts'
import { instrumented } from './hits.ts'
import { hitsVariable } from './hits-names.ts'
import { hashOf, sourceKey, type TestFile } from './measured-test.ts'

/** A source file, and the text that runs instead of its own. */
export interface Replacement {
  readonly file: string
  readonly text: string
}

export interface RunRequest {
  /** null: the source as it is. */
  readonly mutant: Replacement | null
  readonly tests: readonly TestFile[]
}

export interface RunReply {
  /** The file and title of the first test that failed; undefined if all passed. */
  readonly failure: string | undefined
  /** Seconds by test file. */
  readonly seconds: Readonly<Record<string, number>>
}

/** The tests that run in one process, and so with a source that exists only in memory. */
const projects = ['unit', 'unit-isolated', 'in-process', 'in-process-long']

const root = resolve(import.meta.dirname, '../..')
const isFirstRun = process.env[hitsVariable] !== undefined
let mutant: Replacement | null = null

const plugin: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(text, id) {
    const file = relative(root, id.split('?', 1)[0] ?? id)
    if (isFirstRun && isMutated(file)) {
      return { code: instrumented(sourceKey({ file, hash: hashOf(text) }), text), map: null }
    }
    return mutant?.file === file ? { code: mutant.text, map: null } : null
  },
}

const isMutated = (file: string): boolean =>
  /^server\/src\/(?:access|auth|gate)\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')

/** Runs files in the order in which they are given. */
class InOrder {
  sort = (files: TestSpecification[]): TestSpecification[] => files
  shard = (files: TestSpecification[]): TestSpecification[] => files
}

/** The test files of this run, as they end. */
let ended: TestModule[] = []

// A test that fails only because it waits should not wait long.
const limits = isFirstRun ? {} : { testTimeout: 20_000, hookTimeout: 20_000, expect: { poll: { timeout: 8_000 } } }

const vitest = await createVitest(
  {
    config: false,
    root,
    watch: false,
    bail: isFirstRun ? 0 : 1,
    fsModuleCache: false,
    // `runTestSpecifications` returns the files of earlier runs too.
    reporters: [{ onTestModuleEnd: (module) => void ended.push(module) }],
    maxWorkers: 1,
    silent: true,
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
            test: {
              ...project.test,
              ...limits,
              isolate: isFirstRun || name !== 'unit',
              maxWorkers: 1,
              fsModuleCache: false,
              setupFiles: [join(import.meta.dirname, 'hits-setup.ts')],
            },
          },
        ]
      }),
    },
  } as never,
)

async function run(request: RunRequest): Promise<RunReply> {
  for (const changed of new Set([mutant?.file, request.mutant?.file])) {
    if (changed !== undefined) vitest.invalidateFile(join(root, changed))
  }
  mutant = request.mutant
  ended = []
  const specifications = request.tests.map(({ project, file }) =>
    vitest.getProjectByName(project).createSpecification(join(root, file)),
  )
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const seconds = ended.map((module) => [nameOf(module), module.diagnostic().duration / 1000] as const)
  const failed = ended.map(failureOf).find((failure) => failure !== undefined)
  if (failed === undefined && ended.length < specifications.length) throw new Error('some tests did not run')
  const unhandled =
    unhandledErrors.length > 0 ? `an error outside of a test: ${inspect(unhandledErrors[0])}` : undefined
  return { failure: failed ?? unhandled, seconds: Object.fromEntries(seconds) }
}

const nameOf = ({ moduleId }: TestModule): string => relative(root, moduleId)

function failureOf(module: TestModule): string | undefined {
  for (const test of module.children.allTests('failed')) return `${nameOf(module)}: ${test.fullName}`
  return module.ok() ? undefined : `${nameOf(module)}: ${module.errors()[0]?.message ?? 'a hook failed'}`
}

async function allTests(): Promise<TestFile[]> {
  const specifications = await vitest.globTestSpecifications()
  return specifications.map(({ project, moduleId }) => ({ project: project.name, file: relative(root, moduleId) }))
}

process.on('message', (request: RunRequest | 'list') => {
  const reply = request === 'list' ? allTests() : run(request)
  reply.then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: inspect(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ value: 'ready' })
