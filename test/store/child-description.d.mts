// The types of child-description.mjs.
export declare const SERVER: string;
export declare function descriptionOf(operations: number, generation: number): Uint8Array;
