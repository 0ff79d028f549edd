// Loaded before the service by `NODE_OPTIONS`: the machine is one for which npm has no ffmpeg.
Object.defineProperty(process, 'arch', { value: 'arm64' })
