/** Three cheap cameras: configured, but not pulled. */
export const quietCameras = Object.fromEntries(
  ['yard', 'door', 'office'].map((name) => [name, { source: `demo:${name}`, enabled: false }]),
)
