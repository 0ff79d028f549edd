// Loaded before the service by `NODE_OPTIONS`: SIGUSR2 throws an uncaught exception.
process.on('SIGUSR2', () => {
  if (process.env['FAULT'] === 'rejection') void Promise.reject(new Error('injected'))
  else
    setTimeout(() => {
      throw new Error('injected')
    })
})
