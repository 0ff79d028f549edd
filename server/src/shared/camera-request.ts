/**
 * A header on every HTTP request made on behalf of a camera. Both ports refuse a request that carries it, so that no
 * camera can read from the service [CAM-1]. It is the same for every instance, so that replicas refuse each other's.
 */
export const cameraRequestHeader = 'x-gatehouse-camera'
