import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commands } from '../src/cli/commands.ts'
import { commandFile, foldersOf, gatehouse, gatehouseHere, startCommand } from './support/command.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

function folder(): string {
  const made = temporaryFolder()
  return made
}

/** A folder with a config.yml, and the environment that points there. */
function configured(text: string) {
  const dir = folder()
  const configDir = join(dir, 'config')
  mkdirSync(configDir)
  const file = join(configDir, 'config.yml')
  writeFileSync(file, text)
  return { configDir, file, env: foldersOf({ configDir, mediaDir: join(dir, 'media') }) }
}

test('[CMD-1] the command runs through a link and from any folder, with the Node.js among the packages', async () => {
  const { version } = JSON.parse(readFileSync(join(commandFile, '../../../package.json'), 'utf8')) as {
    version: string
  }
  const dir = folder()
  const link = join(dir, 'gatehouse')
  symlinkSync(commandFile, link)
  for (const file of [commandFile, link]) {
    expect(await gatehouse(['--version'], { file, cwd: dir })).toEqual({
      status: 0,
      output: `gatehouse ${version}\n`,
      errors: '',
    })
  }
  // Node.js comes from the packages: there is none in this PATH.
  const bare = join(dir, 'bin')
  mkdirSync(bare)
  symlinkSync(spawnSync('which', ['readlink'], { encoding: 'utf8' }).stdout.trim(), join(bare, 'readlink'))
  expect(await gatehouse(['--version'], { env: { PATH: bare } })).toMatchObject({ status: 0 })
})

test.each(commands.map(({ name }) => name))(
  '[CMD-1] `gatehouse %s --help` lists the options and exit codes',
  async (name) => {
    const { status, output, errors } = await gatehouseHere([...name.split(' '), '--help'])
    expect([status, errors]).toEqual([0, ''])
    expect(output).toMatch(new RegExp(`^Usage: gatehouse ${name} `))
    for (const option of commands.find((each) => each.name === name)?.options ?? []) {
      expect(output).toContain(`--${option.name}`)
    }
    expect(output).toMatch(/Exit codes:\n {2}0 /)
  },
)

test.each([
  [[]],
  [['nothing']],
  [['check', '--nothing']],
  [['check', 'one.yml', 'two.yml']],
  [['check', '--config-dir']],
])('[CMD-1] wrong usage exits with 64 and prints no result: %j', async (words) => {
  const { status, output, errors } = await gatehouseHere(words)
  expect([status, output]).toEqual([64, ''])
  expect(errors).not.toBe('')
})

test('[CMD-2] `check` prints each problem and warning on a line, exits with 78, and changes nothing', async () => {
  const { configDir, file, env } = configured(
    'auth:\n  session_length: -1\n  roles:\n    guard: [attic]\ntls: {on: 1}\n',
  )
  const { status, output } = await gatehouse(['check'], { env })
  expect(status).toBe(78)
  expect(output.trimEnd().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${file}:2:19 auth\\.session_length: `)),
    expect.stringMatching(new RegExp(`^${file}:5:7 tls\\.on: `)),
    expect.stringMatching(new RegExp(`^${file}:4:13 auth\\.roles\\.guard\\[0\\]: warning: Camera "attic"`)),
  ])
  expect(readdirSync(configDir)).toEqual(['config.yml'])
})

test('[CMD-2] `check` accepts what the service accepts at startup, and a warning alone isn’t a failure', async () => {
  const { file, env } = configured('auth: {roles: {guard: [attic]}}\n')
  const { status, output } = await gatehouseHere(['check'], { env })
  expect([status, output.split('\n')]).toEqual([
    0,
    [expect.stringContaining('warning: '), `${file}: the configuration is valid`, ''],
  ])
  const other = join(folder(), 'other.yml')
  writeFileSync(other, 'tls: {enabled: false}\n')
  const valid = `${other}: the configuration is valid\n`
  expect(await gatehouseHere(['check', other], { env })).toEqual({ status: 0, output: valid, errors: '' })
  expect(await gatehouseHere(['check', `${file}.missing`], { env })).toMatchObject({
    status: 66,
    output: '',
    errors: expect.stringContaining('does not exist'),
  })
})

test('[CMD-2] `check` fills placeholders as the service does at startup, or accepts them unfilled, and prints no secret', async () => {
  const { file, env } = configured('cameras: {yard: {source: "rtsp://u:{SERVICE_CAM_PASSWORD}@192.0.2.7/a"}}\n')
  const unfilled = await gatehouseHere(['check'], { env })
  expect([unfilled.status, unfilled.output]).toEqual([78, expect.stringContaining('{SERVICE_CAM_PASSWORD}')])
  const valid = { status: 0, output: `${file}: the configuration is valid\n` }
  expect(await gatehouseHere(['check', '--no-placeholders'], { env })).toMatchObject(valid)
  const filled = await gatehouseHere(['check'], { env: { ...env, SERVICE_CAM_PASSWORD: 'hunter2' } })
  expect(filled).toMatchObject(valid)
  const broken = configured('proxy: {auth_secret: hunter2}\ncameras: {yard: {source: "rtsp://u:hunter2@h:x/"}}\n')
  const { status, output, errors } = await gatehouseHere(['check'], { env: broken.env })
  expect(status).toBe(78)
  expect(output + errors).not.toContain('hunter2')
})

test('[CMD-1] `start` runs the service in its own process, with the given folders', async () => {
  const service = await startGatehouse({ config: { tls: { enabled: false } } })
  await service.stop()
  const child = startCommand(['start', '--config-dir', service.configDir, '--media-dir', service.mediaDir])
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await expect.poll(() => printed).toContain('service ready')
  expect((await service.gate.get('/api/profile')).status).toBe(401)
  // The process is the service itself, so a signal reaches it.
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('[CMD-1] `start` with an invalid configuration exits with 78', async () => {
  const { env } = configured('nothing: 1\n')
  const { status, errors } = await gatehouse(['start'], { env })
  expect([status, errors]).toEqual([78, expect.stringContaining('config.yml:1:1 nothing')])
})
