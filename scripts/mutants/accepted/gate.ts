import { byKey, forCompiler, inFile, type AcceptedMutant, type Row } from './accepted-mutant.ts'

export const gate: readonly AcceptedMutant[] = [
  ...inFile('server/src/gate/access-preview.ts', [
    [
      "return found(await callers.user(user ?? '', at), 'no-such-user')",
      "user ?? '' → user",
      forCompiler('exactly one caller is named'),
    ],
    [
      'role: (isKnown ? identity.role : undefined) ?? null,',
      'isKnown → true',
      forCompiler('an unauthenticated caller has no role'),
    ],
    [
      '...(grant.until !== undefined && { range: { start: (grant.since ?? 0) / 1000, end: grant.until / 1000 } }),',
      'grant.since ?? 0 → grant.since',
      forCompiler('a grant that ends has a beginning too'),
    ],
  ]),
  ...inFile('server/src/gate/checks.ts', [
    [
      'for (let at = 0; at < checks.length; at += 1) {',
      'at < checks.length → at <= checks.length',
      'Behind the last check there is none to call.',
    ],
    [
      'suspended === undefined',
      'suspended === undefined → false',
      forCompiler('without a suspension, there is no reason in the table'),
    ],
    [
      "case 'allow':",
      "case 'allow': return → removed",
      forCompiler('the function returns nothing for any other decision'),
    ],
    [
      "if (identity.kind !== 'authenticated' || identity.authMethod !== 'proxy') {",
      "identity.kind !== 'authenticated' → false",
      forCompiler('an unauthenticated identity has no authMethod'),
    ],
  ]),
  ...inFile('server/src/gate/forward-auth.ts', [
    [
      'return respond({ status: 202, headers, ...(session && { session }) })',
      'session → true',
      forCompiler('no session is the same as the session undefined'),
    ],
    [
      'if (urls.length === 0) return none',
      'urls.length === 0 → false',
      'A shortcut: without a URL there is nothing more to decide.',
    ],
    ['const otherProgram: AccessRule = { otherProgram: true }', 'true → false', byKey],
    ...['true', 'false', 'key.length < maxTargetLength'].map((change): Row => [
      'if (key.length <= maxTargetLength) targets.set(key, found)',
      `key.length <= maxTargetLength → ${change}`,
      'A cache: which targets are in it makes no difference but speed and memory.',
    ]),
    ...[
      'values.length > 0 → true',
      'values.length > 0 → values.length >= 0',
      'all.length > 0 → true',
      'all.length > 0 → all.length >= 0',
    ].map((change): Row => [
      'if (values.length > 0) all = all.length > 0 ? [...all, ...values] : values',
      change,
      'Only speed: the list is copied instead of used.',
    ]),
    [
      'const isAscii = (text: string): boolean => /^[\\x20-\\x7e]*$/.test(text)',
      '/^[\\x20-\\x7e]*$/.test(text) → false',
      'Only speed: an ASCII name has the same characters and bytes.',
    ],
    ['if (known) return known', 'known → false', 'A cache: the same target is found again.'],
    [
      "'remote-user': isAscii(name) ? name : Buffer.from(name, 'utf8').toString('latin1'),",
      'isAscii(name) → false',
      'Only speed: an ASCII name has the same characters and bytes.',
    ],
    [
      'access: { signedIn: true, exceptScreens: true },',
      'true → false',
      `${byKey} For exceptScreens, a screen is tested.`,
    ],
    [
      "'remote-role': identity.role ?? '',",
      "identity.role ?? '' → identity.role",
      forCompiler('a caller without a role gets 403'),
    ],
  ]),
  ...inFile('server/src/gate/audit.ts', [
    [
      "if (identity.kind !== 'authenticated' || identity.authMethod !== 'internal') return",
      "identity.kind !== 'authenticated' → false",
      forCompiler('an unauthenticated identity has no authMethod'),
    ],
  ]),
  ...inFile('server/src/gate/open-socket.ts', [
    [
      'if (socket.bufferedAmount > maxUnsentBytes) return abortConnection(request.socket)',
      'socket.bufferedAmount > maxUnsentBytes → socket.bufferedAmount >= maxUnsentBytes',
      'One byte less of unsent data isn’t a difference that a client could see.',
    ],
  ]),
  ...inFile('server/src/gate/open-stream.ts', [
    [
      'if (ofRoute === undefined) continue',
      'ofRoute === undefined → false',
      forCompiler('no count reaches what isn’t a number'),
    ],
    [
      "if (isRecorded(access) && (grant.history ?? Infinity) < history) return 'recheck'",
      'grant.history ?? Infinity → grant.history',
      forCompiler('undefined is not less than a number'),
    ],
    [
      "'camera' in rule && (rule.camera === 'history' || rule.camera === 'download')",
      "'camera' in rule → true",
      forCompiler('another rule has no camera'),
    ],
  ]),
  ...inFile('server/src/gate/send-response.ts', [
    [
      "return ['GET', 'HEAD'].includes(method) && !('open' in rule) && !isStream",
      "('open' in rule) → false",
      'A second lock: the caller of an open route stays unauthenticated, with the same empty grant.',
    ],
    [
      'return Readable.from(chunks(body), { objectMode: false, highWaterMark: pieceSize })',
      'false → true',
      'The pieces share the memory of the whole, so it does not matter how many are read ahead.',
    ],
    [
      'reply.hijack()',
      'reply.hijack() → removed',
      'What Fastify demands where it does not send the response itself; without it, Fastify only waits for the end.',
    ],
  ]),
  ...inFile('server/src/gate/request-context.ts', [
    [
      'context?.route !== undefined && context.resource !== undefined',
      'context?.route !== undefined → true',
      forCompiler('no request reaches a route without it'),
    ],
    [
      'context?.route !== undefined && context.resource !== undefined',
      'context.resource !== undefined → true',
      forCompiler('no request reaches a route without it'),
    ],
    [
      "if (!isRouted(context)) throw new Error('unreachable: the request was not authorized')",
      'isRouted(context) → true',
      forCompiler('no request reaches a route without it'),
    ],
    [
      'if (resource.requested) this.#narrow(resource)',
      'resource.requested → true',
      'Only speed: without requested cameras, the scope stays the same.',
    ],
    ...['requested?.filter((camera) => camera !== undefined) → requested', 'camera !== undefined → true'].map(
      (change): Row => [
        'requested?.filter((camera) => camera !== undefined),',
        change,
        forCompiler('a request that names a camera that does not exist is not allowed'),
      ],
    ),
    [
      'return this.resource !== undefined && decideOwn(this.rule, this.identity, this.resource)',
      'this.resource !== undefined → true',
      forCompiler('a handler runs only once the resource is known'),
    ],
    [
      'return narrowed(scopeFor(this.grant, action), this.resource ?? {})',
      'this.resource ?? {} → this.resource',
      forCompiler('a handler runs only once the resource is known'),
    ],
    ['const signedIn: AccessRule = { signedIn: true }', 'true → false', byKey],
  ]),
  ...inFile('server/src/gate/server.ts', [
    [
      'reply.hijack()',
      'reply.hijack() → removed',
      'What Fastify demands where it does not send the response itself; without it, Fastify only waits for the end.',
    ],
    [
      'handler: route.socket ? socketOr(plain, route.socket, deps, upgrades) : plain,',
      'route.socket → true',
      forCompiler('only a route with a socket is upgraded'),
    ],
    ...["'open' in rule", "method === 'GET'", "method === 'HEAD'"].map((check): Row => [
      "if ('open' in rule || method === 'GET' || method === 'HEAD') return",
      `${check} → false`,
      'Only speed: where no body is waited for, and on an open route, the second check decides as the first one did.',
    ]),
    [
      'options.preHandler = hook(({ context }) => context && checks.afterBody(context))',
      'context → true',
      forCompiler('the first hook has set it'),
    ],
    [
      'if (status === 403 && context) auditDenial(deps, context, error as ServiceError)',
      'context → true',
      forCompiler('no error before the first hook is a 403'),
    ],
    [
      "if (!context || context.isApi) throw new ServiceError('not-found')",
      'context → true',
      forCompiler('the first hook has set it'),
    ],
    [
      "app.decorateRequest('context')",
      "app.decorateRequest('context') → removed",
      'Only speed: every request gets the field anyway.',
    ],
    [
      'app.setSerializerCompiler<TSchema>(({ schema }) => serializerFor(schema))',
      'app.setSerializerCompiler<TSchema>(({ schema }) => serializerFor(schema)) → removed',
      'Only memory: Fastify compiles the same serializers, all of them at startup and for each port.',
    ],
    ['await app.ready()', 'await app.ready() → removed', 'To listen and to inject a request call it too.'],
  ]),
  ...inFile('server/src/gate/resource.ts', [
    [
      "const time = 'time' in rule ? timeIn(rule, sent) : undefined",
      "'time' in rule → true",
      forCompiler('no other rule has a time'),
    ],
    [
      'return named === undefined || Number.isNaN(named) ? undefined : named',
      'named === undefined → false',
      forCompiler('undefined stays undefined'),
    ],
    [
      'return named.camera === undefined || cameraExists(named.camera) ? named : { ...named, camera: undefined }',
      'named.camera === undefined → false',
      forCompiler('no camera has the name undefined'),
    ],
    ...["'service' in rule", "typeof rule.about === 'object'"].map((check): Row => [
      ": 'service' in rule && typeof rule.about === 'object' && rule.about.of === 'body'",
      `${check} → true`,
      forCompiler('nothing else says where its cameras are named'),
    ]),
  ]),
  ...inFile('server/src/gate/stream-registry.ts', [
    [
      'await Promise.all([...streams].flatMap(([stream, authentication]) => reauthorizeOne(stream, authentication) ?? []))',
      'reauthorizeOne(stream, authentication) ?? [] → reauthorizeOne(stream, authentication)',
      'Only the linter needs it: Promise.all accepts undefined.',
    ],
    [
      'const isOver = ({ endsAt }: Authentication) => endsAt !== undefined && endsAt <= clock.elapsed()',
      'endsAt !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
    [
      'else if ((authentication.until !== undefined && authentication.until <= now) || !stream.isCurrent(now))',
      'authentication.until !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
  ]),
  ...inFile('server/src/gate/csrf.ts', [
    [
      'if (origin === undefined) return false',
      'origin === undefined → false',
      forCompiler('undefined isn’t an allowed origin and no URL'),
    ],
  ]),
]
