// Loaded before the service by `NODE_OPTIONS`: pretends to be a platform for which npm has no ffmpeg.
Object.defineProperty(process, 'arch', { value: 'arm64' })
