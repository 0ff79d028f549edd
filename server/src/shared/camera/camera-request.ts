/**
 * A header on every HTTP request made on behalf of a camera. Both ports reject a request that has it, so that no
 * camera can read from the service [CAM-1]. All instances use the same name, so that they reject each other's requests.
 */
export const cameraRequestHeader = 'x-gatehouse-camera'
