/** Children of this process, each the leader of its process group. They end with it; on SIGKILL only where the sandbox can do that. */
const alive = new Set<number>()

/** Ends a child, and what it started, when this process exits. */
export function endWithService(leader: number): void {
  if (alive.size === 0 && !process.listeners('exit').includes(endAll)) process.on('exit', endAll)
  alive.add(leader)
}

/** A child has exited: its process id may be reused. */
export const forgetGroup = (leader: number): void => void alive.delete(leader)

function endAll(): void {
  for (const leader of alive) killGroup(leader, 'SIGKILL')
}

export function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // The child exited by itself.
  }
}
