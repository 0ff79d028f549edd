/** Leaves full screen, because its element covers every dialog and toast. */
export function leaveFullscreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen()
}
