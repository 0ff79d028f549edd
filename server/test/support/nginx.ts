import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinishedOrLater } from './cleanups.ts'
import { program } from './programs.ts'
import type { TestClient } from './test-client.ts'
import { wait } from './wait.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const nginx = program('nginx')

/** Starts nginx with these blocks of `http`; stopped after the test, or by `stopAll` if a hook calls this. */
export async function startNginx(servers: string): Promise<void> {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'temp'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/temp/${name};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; ${user} worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
     events {} http { access_log off; ${temporary.join(' ')} merge_slashes off;
     ${servers.includes('map $http_upgrade') ? '' : "map $http_upgrade $connection_upgrade { default upgrade; '' close; }"}
     ${servers} }`,
  )
  const child = spawn(nginx!, ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')], {
    stdio: 'inherit',
  })
  onTestFinishedOrLater(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  })
}

/** Waits until the port responds. */
export async function reachable(at: TestClient): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answers = await at.get('/').then(
      () => true,
      () => false,
    )
    if (answers) return
    await wait(50, 'asks nginx again')
  }
  throw new Error(`${at.base} does not respond`)
}
