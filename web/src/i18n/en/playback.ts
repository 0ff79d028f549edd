export const playback = {
  waiting: 'Loading…',
  nothing: 'No recordings in this time range.',
  gone: 'This recording is no longer available.',
  goneBody: 'It was deleted to free space for newer recordings.',
  lost: 'Connection lost. Retrying…',
  unsupported: 'This browser can’t play this camera’s video.',
  unsupportedBody:
    'Recordings keep the camera’s format. Download it to play in another app, or set the camera to H.264.',
  broken: 'This recording can’t be played.',
  ended: 'You no longer have access to this camera.',
  endedBody: 'Your access was removed. If this is a mistake, contact an admin.',
  missing: 'This camera was removed.',
}
