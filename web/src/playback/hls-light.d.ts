/** Without what recordings never hold: subtitles, several sounds, DRM. It is described where the whole is. */
declare module 'hls.js/light' {
  export * from 'hls.js'
  export { default, default as Hls } from 'hls.js'
}
