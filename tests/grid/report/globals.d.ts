// What the page's scripts find beside their own code.

/** Vega-Embed, from the page's first script. */
declare function vegaEmbed(element: HTMLElement, spec: object, options: object): Promise<{ view: { finalize(): void; addEventListener(type: string, handler: (event: Event, item: any) => void): void } }>;
