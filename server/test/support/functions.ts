import { parseSync, Visitor } from 'vite'

/** A function of a source file. */
export interface FunctionSize {
  /** File and name, for example `server/src/a.ts: createA`; a function without a name has that of the one around it. */
  readonly name: string
  readonly lines: number
  /** Number of `let` variables, without those of functions inside it. */
  readonly lets: number
  /** Whether another function is around it. */
  readonly isInner: boolean
}

/** A larger function is an exception and says why. */
export const maxFunction = { lines: 80, lets: 6 }

interface Span {
  readonly start: number
  readonly end: number
}

/** Every function of a file: declarations, expressions, arrow functions and methods. */
export function functionsOf(file: string, text: string): FunctionSize[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found: { name: string; lines: number; lets: number; isInner: boolean }[] = []
  const around: (typeof found)[number][] = []
  /** Names by the start of the function. */
  const names = new Map<number, string>()
  const enter = ({ start, end }: Span, ownName?: string): void => {
    const name = ownName ?? names.get(start) ?? around.at(-1)?.name.slice(file.length + 2) ?? 'a function'
    const lines = text.slice(start, end).split('\n').length
    const size = { name: `${file}: ${name}`, lines, lets: 0, isInner: around.length > 0 }
    found.push(size)
    around.push(size)
  }
  const leave = (): void => void around.pop()
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (init && id.type === 'Identifier') names.set(init.start, id.name)
    },
    Property({ key, value }) {
      if (key.type === 'Identifier') names.set(value.start, key.name)
    },
    MethodDefinition({ key, value }) {
      if (key.type === 'Identifier') names.set(value.start, key.name)
    },
    VariableDeclaration({ kind, declarations }) {
      const inside = around.at(-1)
      if (kind === 'let' && inside) inside.lets += declarations.length
    },
    FunctionDeclaration: (node) => enter(node, node.id?.name),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: (node) => enter(node),
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: (node) => enter(node),
    'ArrowFunctionExpression:exit': leave,
  }).visit(program)
  return found
}

/** Files whose outer functions are lists of routes, as long as what they list. */
const listFiles = /\.routes\.ts$|^server\/src\/app\/routes\.ts$/

/** The functions above a limit. */
export const tooLarge = (functions: readonly FunctionSize[]): FunctionSize[] =>
  functions.filter(({ name, lines, lets, isInner }) => {
    const isList = !isInner && listFiles.test(name.slice(0, name.indexOf(':')))
    return (lines > maxFunction.lines && !isList) || lets > maxFunction.lets
  })

/** Functions that are larger, and why. Split one of them rather than adding another. */
export const largeFunctions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Composition: one line per part, in the order of construction.
    'server/src/gate/server.ts: buildServer': 'the order of checks on one page',
    // Shells of state machines: one case per effect, one method per event.
    'server/src/cameras/camera-supervisor.ts: createCamera': 'carries out the effects of camera-state.ts',
    'server/src/exports/queue/job-queue.ts: createJobQueue': 'carries out the effects of job-queue-state.ts',
    'server/src/motion/camera-motion.ts: createCameraMotion': 'carries out the effects of camera-motion-state.ts',
    'server/src/recordings/recorder.ts: createRecorder': 'carries out the effects of recorder-state.ts',
    'server/src/cluster/leases.ts: createLeases': 'carries out the effects of lease-state.ts',
    // Short functions over one private state.
    'server/src/audit/row-writer.ts: createRowWriter': 'queue, retry and stop share the rows that wait',
    'server/src/audit/uses.ts: createUses': 'uses are opened, counted and closed in one table',
    'server/src/gate/stream-registry.ts: createStreamRegistry':
      'register, reauthorize and abort share the open streams',
    'server/src/media/ffmpeg/camera-relay.ts: openCameraRelay': 'the requests of one relay share its end',
    'server/src/recordings/segments/segment-draft.ts: draftSegment': 'writes, errors and the end share one file',
    'server/src/review/item-tracker.ts: createItemTracker': 'items open, grow and close in one table',
    'server/src/store/postgres/changes.ts: postgresChanges': 'connect, listen and reconnect share one connection',
    // The web UI.
    'web/src/player/live/media-buffer.ts: createMediaBuffer': 'appending, making room and the end share one queue',
    'web/src/player/live/reconnecting-player.ts: createReconnectingPlayer':
      'connection, retry and watchdog share what is known of the playback',
    'web/src/player/recording/recording-player.ts: createRecordingPlayer':
      'carries out the effects of recording-state.ts',
    'web/src/settings/motion/mask/usePointing.ts: usePointing': 'press, drag and release share what the pointer holds',
    // Numbers.
    'server/src/motion/light.ts: lightBetween': 'sums of a regression, in one loop for speed',
  }),
)
