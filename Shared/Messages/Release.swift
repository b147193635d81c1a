/// The release that this is, by Semantic Versioning 2.0.0: the one place that has the version.
///
/// Between two releases it is the next one's with `-dev`. `deploy/release` sets it.
public enum Release {
    public static let version = "0.2.0-dev"
}
