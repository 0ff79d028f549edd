// Loaded before the service by `NODE_OPTIONS`: on SIGUSR2 something fails that nobody catches.
process.on('SIGUSR2', () => {
  if (process.env['FAULT'] === 'rejection') void Promise.reject(new Error('injected'))
  else
    setTimeout(() => {
      throw new Error('injected')
    })
})
